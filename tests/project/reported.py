"""What people reported of programs with cameras, sensors, knobs, brokers and boards, and the tests against it.

The numbers stand in other tests' names and docstrings, too. V: seeing; C: calibration; K: the knob; G: pins; S: the
serial line; M: MQTT; H: Home Assistant; W: the page; R: rules and referee; D: what is kept; X: the simulator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Case(NamedTuple):
    """A symptom, and where it is tested: file below `tests/`, `::`, the test."""

    symptom: str
    tests: tuple[str, ...]


def _case(symptom: str, *tests: str) -> Case:
    return Case(symptom, tests)


CASES: Mapping[str, Case] = {
    "V01": _case(
        "red lies at both ends of the circle of hues, and a range of hues finds only half of it",
        "vision/test_finity_stations.py::test_another_set_of_colours_is_read",
        "vision/test_finity_stations.py::test_no_set_of_colours_tower_or_light_misleads",
    ),
    "V02": _case(
        "the mean of two reds on either side of hue 0 is a green",
        "vision/test_finity_stations.py::test_another_set_of_colours_is_read",
        "calibration/test_finity_calibrating.py::"
        "test_gloss_moves_a_colour_towards_white_and_light_changes_its_brightness_only",
    ),
    "V04": _case(
        "red and blue are exchanged, since a driver or an update changed the order of the channels",
        "vision/test_trouble.py::test_exchanged_channels_are_called_that",
        "vision/test_finity_recogniser.py::test_a_picture_with_red_and_blue_exchanged_is_said_to_be_one",
        "calibration/test_calibrating.py::test_exchanged_channels_are_called_that",
    ),
    "V05": _case(
        "two colours that are close are exchanged in warm or cold light",
        "calibration/test_finity_calibrating.py::test_players_who_look_alike_are_refused",
        "vision/test_finity_stations.py::test_no_set_of_colours_tower_or_light_misleads",
    ),
    "V08": _case(
        "the whole picture is tinted, and white is read as orange or blue",
        "vision/test_trouble.py::test_other_light_changes_nothing",
    ),
    "V09": _case(
        "works by the window and fails under the lamp, or reads half of the board",
        "vision/test_trouble.py::test_other_light_changes_nothing",
        "vision/test_finity_foreign.py::test_shade_and_coloured_light_are_no_hand",
    ),
    "V11": _case(
        "glossy pieces under a lamp are not found by their colour",
        "vision/test_glare.py::test_a_lamp_mirrored_in_a_place_makes_it_no_other",
    ),
    "V12": _case(
        "a lamp mirrored in a coloured or black piece is read as a white one",
        "vision/test_glare.py::test_a_lamp_mirrored_in_a_place_makes_it_no_other",
        "vision/test_finity_stations.py::test_seats_that_are_washed_out_are_not_guessed",
    ),
    "V14": _case(
        "a bright spot on a bare place is read as a white piece",
        "vision/test_glare.py::test_a_lamp_mirrored_in_a_place_makes_it_no_other",
    ),
    "V15": _case(
        "a shadow makes another piece of one",
        "vision/test_trouble.py::test_a_shadow_over_half_the_board_makes_nothing_wrong",
        "vision/test_trouble.py::test_a_soft_shadow_across_seats_leaves_them_readable",
    ),
    "V16": _case(
        "on a still board a place swings between two labels",
        "reconciler/test_reported.py::test_a_still_place_whose_label_swings_is_one_doubt_and_no_move",
    ),
    "V17": _case(
        "a step of the camera's exposure is taken for something that happened",
        "vision/test_changes.py::test_a_slow_drift_of_the_light_is_not_lost",
        "reconciler/test_campaign.py::test_games_with_all_faults_are_recorded_without_a_mistake",
    ),
    "V19": _case(
        "a piece that is out of sight for some pictures counts as gone, or as come back",
        "reconciler/test_reported.py::test_a_marble_out_of_sight_for_a_moment_has_not_gone",
        "reconciler/test_reported.py::test_pieces_that_blink_out_for_some_pictures_are_no_move",
    ),
    "V21": _case(
        "the first pictures after opening are dark, and the board seems to be cleared",
        "vision/test_camera.py::test_dark_pictures_after_opening_are_left_out",
        "vision/test_camera.py::test_the_first_pictures_are_left_out",
    ),
    "V22": _case(
        "after a pause the driver hands out old pictures from its queue",
        "vision/test_camera.py::test_a_picture_is_stamped_before_it_was_waited_for",
        "reconciler/test_settling.py::test_a_picture_from_before_the_push_says_nothing_of_it",
        "reconciler/test_settling.py::test_a_frame_that_is_late_shows_the_past",
    ),
    "V23": _case(
        "after a stall the same picture comes for ever, each time with success",
        "vision/test_camera.py::test_the_same_picture_again_and_again_goes_stale_and_then_lost",
        "vision/test_camera.py::test_a_stale_camera_comes_back",
    ),
    "V25": _case(
        "plugged in again, a camera has another number, and another camera has its own",
        "vision/test_camera.py::test_it_is_opened_by_its_own_name_until_it_comes_back",
        "doctor/test_cameras.py::test_v25_a_number_is_no_name",
    ),
    "V26": _case(
        "the size that was asked for is quietly another",
        "vision/test_camera.py::test_another_size_than_asked_for_is_told",
        "doctor/test_cameras.py::test_v26_another_size_than_asked_for_is_wrong",
    ),
    "C01": _case(
        "a printed pattern of another kind is found in part, and the rest is misplaced",
        "calibration/test_preview.py::test_the_other_games_mat_is_said_so",
        "calibration/test_preview.py::test_a_second_sheet_is_said_so",
        "calibration/test_calibrating.py::test_a_covered_marker_leaves_three_and_two_covered_are_refused",
    ),
    "C03": _case(
        "corners lie half a pixel off in some versions of the library",
        "calibration/test_calibrating.py::test_seats_lie_where_the_renderer_put_them",
        "vision/test_commands.py::test_a_calibration_of_another_opencv_is_said_to_be_one",
    ),
    "C07": _case(
        "a calibration outlives a change of the camera",
        "cli/test_wrong_input.py::test_a_camera_needs_its_own_calibration",
        "calibration/test_renewing.py::test_another_zoom_is_refused",
    ),
    "C08": _case(
        "all places are a little off to one side, so that no move registers",
        "calibration/test_calibrating.py::test_the_wrong_board_file_is_noticed",
        "calibration/test_preview.py::test_a_board_with_other_measures_is_said_so",
    ),
    "C10": _case(
        "the board is read turned round",
        "vision/test_trouble.py::test_the_board_upside_down_keeps_its_names",
        "vision/test_finity_turned.py::test_places_keep_their_names_under_a_turned_camera",
    ),
    "C11": _case(
        "board or camera is bumped during play, and the places stay where they were",
        "vision/test_trouble.py::test_a_moved_camera_is_followed_and_found_again",
        "vision/test_finity_scenes.py::test_a_bump_is_followed",
        "reconciler/test_settling.py::test_a_bump_is_told_and_followed",
    ),
    "K01": _case(
        "bounce on the first contact is counted as a step back",
        "firmware_bridge/test_quadrature.py::test_k01_bounce_on_the_first_contact_is_no_step_back",
    ),
    "K06": _case(
        "a step is lost at each reversal",
        "firmware_bridge/test_quadrature.py::test_k06_a_reversal_loses_nothing",
    ),
    "K07": _case(
        "a wobble on a detent counts",
        "firmware_bridge/test_quadrature.py::test_k07_wobble_on_a_detent_is_no_event",
    ),
    "K09": _case(
        "a quick turn runs past the end of the scale",
        "firmware_bridge/test_knob.py::test_k09_a_jump_over_several_detents_ends_where_it_ends",
    ),
    "K10": _case(
        "the count wraps with the dial",
        "firmware_bridge/test_knob.py::test_k10_the_dial_wraps_and_the_count_does_not",
    ),
    "K12": _case(
        "a knob that was turned while all was off is believed to stand where it stood, or at 0",
        "firmware_bridge/test_knob.py::test_k12_a_knob_turned_while_off_is_shown_unverified_until_confirmed",
        "firmware_bridge/test_serial_decoder.py::test_k12_after_a_power_cut_the_knob_keeps_its_place_unverified",
        "cli/test_knob_over_restart.py::test_k12_a_knob_turned_while_all_was_off_is_shown_where_it_was_until_confirmed",
    ),
    "K15": _case(
        "one click is several events",
        "firmware_bridge/test_quadrature.py::test_k15_one_click_is_one_event",
    ),
    "G01": _case(
        "after a pulse shorter than the bounce time the next real one is lost",
        "firmware_bridge/test_debounce.py::test_g01_a_pulse_shorter_than_the_bounce_time_hides_no_later_one",
    ),
    "G02": _case(
        "presses come without releases, and releases without presses",
        "firmware_bridge/test_debounce.py::test_g02_one_press_and_one_release_in_order",
    ),
    "G03": _case(
        "a short dropout while held is a release and a press",
        "firmware_bridge/test_debounce.py::test_g03_a_dropout_while_held_is_nothing",
    ),
    "G04": _case(
        "bounce times have other limits in every library",
        "firmware_bridge/test_debounce.py::test_g04_no_backend_limits_the_time",
        "firmware_bridge/test_debounce.py::test_g04_a_silly_time_is_refused_by_name",
    ),
    "G05": _case(
        "a second program finds the pins busy, or takes them from the first",
        "firmware_bridge/test_pin_board.py::test_g05_pins_in_use_are_named_and_the_first_goes_on",
        "doctor/test_ports.py::test_g05_another_companion_is_named",
    ),
    "G06": _case(
        "after an update of the system edges cannot be had, and the start fails",
        "firmware_bridge/test_pin_board.py::test_g06_without_edges_the_pins_are_polled",
        "firmware_bridge/test_pin_board.py::test_g06_a_backend_that_fails_is_a_lost_device_with_the_reason",
    ),
    "G07": _case(
        "on a machine without pins the import fails",
        "firmware_bridge/test_pin_board.py::test_g07_importing_needs_no_hardware_and_no_gpiozero",
    ),
    "G09": _case(
        "an exception in a handler stops the edges",
        "firmware_bridge/test_pin_board.py::test_g09_a_listener_that_raises_is_logged_once_and_costs_nothing",
    ),
    "G10": _case(
        "a marble off the middle of the beam is too short to count",
        "firmware_bridge/test_debounce.py::test_g10_a_pulse_counts_from_a_hundred_microseconds_on",
        "firmware_bridge/test_pin_decoder.py::test_g10_weak_pulses_are_counted_by_their_task",
    ),
    "G12": _case(
        "a marble that rolls up and back counts twice",
        "firmware_bridge/test_debounce.py::test_g12_a_marble_that_rolls_up_and_back_is_one",
        "reconciler/test_settling.py::test_one_marble_that_rolls_back_is_one_entry",
    ),
    "S01": _case(
        "a lost byte makes the reader wait for ever, and it still says that it is connected",
        "firmware_bridge/test_link.py::test_s01_a_cut_frame_before_a_whole_one",
        "firmware_bridge/test_link.py::test_loss_never_invents_a_frame_and_never_stalls",
    ),
    "S02": _case(
        "a garbled length holds back the messages after it",
        "firmware_bridge/test_link.py::test_s02_a_run_of_junk_does_not_hold_back_what_follows",
    ),
    "S03": _case(
        "the end of one message is taken for the start of the next, and sync is never found again",
        "firmware_bridge/test_link.py::test_s03_an_end_is_never_taken_for_a_start",
    ),
    "S06": _case(
        "where a read times out, half a message is handed on",
        "firmware_bridge/test_link.py::test_s06_half_a_frame_is_nothing_yet",
        "firmware_bridge/test_link.py::test_any_chunking_gives_the_same",
    ),
    "S07": _case(
        "a read never ends while bytes trickle in",
        "firmware_bridge/test_link.py::test_s07_bytes_without_an_end_are_cut_and_counted",
    ),
    "S12": _case(
        "two programs on one port get a part of the bytes each",
        "firmware_bridge/test_port.py::test_s12_a_second_program_is_refused_in_clear_words",
    ),
    "S13": _case(
        "another service writes to every new port",
        "firmware_bridge/test_link.py::test_s13_a_modem_manager_is_passed_over",
        "doctor/test_ports.py::test_s13_a_service_that_has_the_port_is_kept_off",
    ),
    "S14": _case(
        "the port may not be opened, and nobody says why",
        "firmware_bridge/test_port.py::test_s14_a_refused_port_is_told_once_and_tried_every_second",
        "doctor/test_ports.py::test_s14_a_port_that_this_user_may_not_open_names_the_group",
    ),
    "M02": _case(
        "a message that was under way when the program was killed is skipped, or done twice",
        "mqtt/test_mqtt_killed.py::test_a_command_in_the_way_of_a_kill_is_carried_out_once",
        "mqtt/test_mqtt_delivery.py::test_all_events_arrive_in_order_though_program_and_broker_are_killed",
    ),
    "M04": _case(
        "a nonsensical message kills the thread of the network, and nobody sees it",
        "mqtt/test_mqtt_commands.py::test_nonsense_is_answered_and_the_next_command_heard",
        "mqtt/test_mqtt_trouble.py::test_an_error_in_the_thread_costs_a_pause_and_no_event",
        "mqtt/test_mqtt_trouble.py::test_a_thread_that_died_is_started_again",
        "mqtt/test_mqtt_trouble.py::test_a_broker_that_takes_all_and_answers_nothing_is_left",
    ),
    "M08": _case(
        "what is sent before the connection is up is dropped",
        "mqtt/test_mqtt_trouble.py::test_a_broker_that_is_away_at_the_start_is_told_once_and_awaited",
        "mqtt/test_mqtt_topics.py::test_state_comes_before_birth_and_birth_before_events",
    ),
    "M10": _case(
        "the will of a dead connection comes late, and a program that works is shown as offline",
        "mqtt/test_mqtt_trouble.py::test_a_dead_connections_will_does_not_speak_last",
        "mqtt/test_mqtt_trouble.py::test_rubbish_on_the_status_topic_is_put_right",
        "mqtt/test_mqtt_delivery.py::test_coming_back_before_the_will_is_due_keeps_it_silent",
    ),
    "M11": _case(
        "two programs of one name throw each other off the broker without end",
        "mqtt/test_mqtt_trouble.py::test_of_two_programs_with_one_name_the_later_stops",
    ),
    "M15": _case(
        "after hours without a broker nothing connects any more",
        "mqtt/test_mqtt_trouble.py::test_pauses_grow_up_to_their_limit",
        "mqtt/test_mqtt_trouble.py::test_a_thread_that_died_is_started_again",
    ),
    "M16": _case(
        "a broker whose store was damaged hands out rubbish",
        "mqtt/test_mqtt_trouble.py::test_rubbish_that_was_retained_is_replaced",
    ),
    "H02": _case(
        "after a restart of Home Assistant entities are there without values",
        "homeassistant/test_real_home_assistant.py::test_entities_are_right_over_every_kind_of_restart",
        "homeassistant/test_discovery.py::test_it_is_said_again_when_home_assistant_is_born",
    ),
    "H03": _case(
        "a broker that forgot everything is not told again",
        "homeassistant/test_discovery.py::test_a_broker_that_forgot_everything_is_told_again",
        "mqtt/test_mqtt_delivery.py::test_a_broker_that_forgot_everything_is_told_again",
    ),
    "H05": _case(
        "of two units with default names the second is passed over, or both become one",
        "homeassistant/test_discovery.py::test_ids_are_plain_and_names_for_people",
    ),
    "H07": _case(
        "the device's name stands twice in the names of its entities",
        "homeassistant/test_discovery.py::test_ids_are_plain_and_names_for_people",
    ),
    "H08": _case(
        "a name with dots, blanks or # makes a topic that is passed over",
        "homeassistant/test_discovery.py::test_ids_are_plain_and_names_for_people",
        "mqtt/test_mqtt_topics.py::test_names_become_one_level_of_a_topic",
    ),
    "H12": _case(
        "after a restart old events fire again, and automations with them",
        "mqtt/test_mqtt_delivery.py::test_no_event_is_heard_again_after_both_have_restarted",
        "mqtt/test_mqtt_topics.py::test_state_and_status_are_retained_and_events_never",
        "homeassistant/test_real_home_assistant.py::test_entities_are_right_over_every_kind_of_restart",
    ),
    "H13": _case(
        "the same event twice in a row fires once",
        "homeassistant/test_real_home_assistant.py::test_entities_are_right_over_every_kind_of_restart",
    ),
    "H14": _case(
        "entities of players who have gone live on with their last value",
        "homeassistant/test_discovery.py::test_entities_of_players_who_have_gone_are_taken_away",
        "homeassistant/test_discovery.py::test_players_of_an_earlier_run_are_taken_away",
    ),
    "W02": _case(
        "after some tries the page gives up, and two tabs are in each other's way",
        "page/test_reconnect.py::test_both_tabs_are_right_after_the_servers_return",
        "page/test_reconnect.py::test_both_tabs_are_right_within_two_seconds_of_the_servers_return",
    ),
    "W03": _case(
        "loading a page anew brings the finished game back",
        "page/test_browser.py::test_a_new_game_clears_the_page",
        "page/test_history.py::test_a_new_game_has_no_past",
    ),
    "W07": _case(
        "after a refused takeback page and table differ",
        "page/test_correct.py::test_what_came_too_late_is_refused_and_both_sides_stay_the_same",
    ),
    "R01": _case(
        "a path that is closed by another kind of move than placing is not seen as a win",
        "finity/test_judge_finity.py::test_a_path_closed_by_reversing_a_bridge_wins",
        "reconciler/test_finity_table.py::test_after_a_full_path_pieces_are_cleared_away_untold",
    ),
    "R02": _case(
        "what is counted along with the moves differs from what a count of the board gives",
        "finity/test_laws.py::test_random_games_keep_the_laws",
    ),
    "R03": _case(
        "pieces that another kind of piece cuts off are not noticed",
        "finity/test_reported.py::test_rings_go_in_the_same_turn_whatever_cuts_them_off",
        "finity/test_judge_finity.py::test_rings_go_whatever_piece_cuts_them_off",
    ),
    "R04": _case(
        "a path leads through where it may not pass",
        "finity/test_reported.py::test_a_station_is_passed_as_often_as_own_rings_lie_there",
        "finity/test_reported.py::test_no_walk_goes_on_behind_the_centre",
    ),
    "R05": _case(
        "a search for paths that go round and round does not end",
        "finity/test_reported.py::test_bridges_crossed_again_and_again_end_in_an_answer",
    ),
    "R08": _case(
        "more pieces are played than the box holds",
        "finity/test_reasons.py::test_supply_of_bridges",
        "finity/test_reported.py::test_no_move_takes_more_pieces_than_the_box_holds",
    ),
    "R09": _case(
        "a piece that is slid slowly is booked on the way",
        "reconciler/test_settling.py::test_a_position_on_the_way_is_no_move",
        "reconciler/test_finity_reported.py::test_a_bridge_slid_over_a_neighbouring_slot_is_one_move",
    ),
    "R10": _case(
        "a quick reply is lost with the move that it answers",
        "reconciler/test_settling.py::test_two_plies_in_one_settle_window_come_in_order",
        "reconciler/test_settling.py::test_two_plies_of_which_either_may_be_first_are_asked_for",
        "reconciler/test_finity_reported.py::test_two_moves_that_either_player_may_have_made_are_asked_for",
    ),
    "R12": _case(
        "taking back takes too little, or leaves the wrong player to move",
        "reconciler/test_referee.py::test_undo_twice_leaves_one_move_and_the_right_player",
        "table/test_correcting.py::test_undo_twice_after_a_restart_leaves_the_right_player",
    ),
    "R14": _case(
        "suddenly a piece is seen of which there is only one, and that lies elsewhere",
        "reconciler/test_settling.py::test_more_marbles_of_a_colour_than_there_are_is_never_believed",
        "vision/test_trouble.py::test_a_second_joker_and_a_marble_above_a_gap_are_doubted",
        "reconciler/test_finity_table.py::test_a_ring_read_as_another_players_for_a_look_accuses_nobody",
    ),
    "R16": _case(
        "clearing up after the end is booked as moves",
        "reconciler/test_settling.py::test_clearing_up_after_the_end_is_nothing",
    ),
    "R17": _case(
        "after an illegal move nothing happens, and nobody knows why",
        "reconciler/test_finity_reported.py::"
        "test_a_ring_without_support_is_told_with_the_reason_and_cleared_when_it_is_off",
        "reconciler/test_referee.py::test_a_breach_is_named_once_and_cleared_when_it_is_put_right",
    ),
    "R18": _case(
        "a long hand is taken for a turn",
        "reconciler/test_settling.py::test_a_long_hand_is_no_turn",
        "reconciler/test_finity_table.py::test_a_hand_that_stays_without_a_change_is_nothing",
    ),
    "R19": _case(
        "a turn worth nothing and a cancelled one are told alike",
        "reconciler/test_referee.py::test_a_score_that_does_not_change_is_not_told",
    ),
    "R20": _case(
        "a correction is told as a new score",
        "reconciler/test_referee.py::test_a_correction_is_one_event_and_no_new_score",
    ),
    "D01": _case(
        "after a power cut the file is empty or cut off",
        "journal/test_damage.py::test_damage_is_told_and_the_last_good_state_loaded",
        "journal/test_kill.py::test_nothing_acknowledged_is_lost",
        "setup/test_kept.py::test_a_draft_that_cannot_be_read_is_kept_aside_and_the_set_up_begins_anew",
        "calibration/test_file.py::test_a_failed_write_keeps_the_old_file",
    ),
    "D02": _case(
        "what cannot be read counts as empty, and is written over",
        "journal/test_damage.py::test_damage_is_told_and_the_last_good_state_loaded",
        "club/test_store.py::test_a_damaged_file_is_set_aside_whole_and_told",
        "cli/test_knob_over_restart.py::test_a_damaged_file_costs_the_place_and_no_more",
        "setup/test_kept.py::test_a_draft_that_cannot_be_read_is_kept_aside_and_the_set_up_begins_anew",
    ),
    "D08": _case(
        "a device that comes and goes fills the card with its log",
        "service/test_service.py::test_a_device_that_flaps_for_an_hour_fills_no_card",
    ),
    "X01": _case(
        "simulated pins do not bounce as real ones do",
        "firmware_bridge/test_pin_board.py::test_x01_bounce_is_filtered_here_and_not_by_the_backend",
        "firmware_bridge/test_same_readings.py::test_a_script_is_felt_the_same_by_pins_model_and_chip",
        "hw_sim/test_pins.py::test_bouncing_pins_are_read_right",
    ),
    "X02": _case(
        "a simulated edge is handled some time later on another thread",
        "firmware_bridge/test_pin_board.py::test_x02_an_edge_is_handled_when_driving_returns",
    ),
    "X05": _case(
        "tests hang or differ from run to run, for time is real",
        "firmware_bridge/test_pin_decoder.py::test_x05_an_hour_of_ten_thousand_edges_is_quick_and_always_the_same",
    ),
    "X06": _case(
        "the library for pictures does not load on a bare machine, or two packages of it overwrite each other",
        "doctor/test_program.py::test_x06_wheels_that_overwrite_each_other_are_named",
        "doctor/test_program.py::test_x06_a_missing_library_is_named_with_the_packages",
    ),
}
