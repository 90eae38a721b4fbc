"""Pictures of a board read into likelihoods: for every named place, how well each label explains what is seen."""
