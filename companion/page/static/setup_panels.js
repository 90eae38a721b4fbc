// The steps of the set-up in their order, and the board editor beside them. Each makes {root, draw(state, can)} once.

import { boardEditor } from "./editor.js";
import { cameraPanel } from "./setup_camera.js";
import { gamePanel } from "./setup_game.js";
import { matPanel } from "./setup_mat.js";
import { picturesPanel } from "./setup_pictures.js";
import { playersPanel } from "./setup_players.js";
import { readyPanel } from "./setup_ready.js";
import { rulesPanel } from "./setup_rules.js";

/** `within`: the step that a panel belongs to, where it is none itself. */
export const PANELS = {
  game: { make: gamePanel },
  camera: { make: cameraPanel },
  mat: { make: matPanel },
  editor: { make: boardEditor, within: "mat" },
  pictures: { make: picturesPanel },
  players: { make: playersPanel },
  rules: { make: rulesPanel },
  ready: { make: readyPanel },
};
