// Which game, and how many play.

import { el, showAnew } from "./dom.js";
import { GAME_DRAWINGS } from "./setup_drawings.js";
import { choices } from "./setup_form.js";
import { say } from "./texts.js";

export function gamePanel({ command }) {
  const games = el("div");
  const counts = el("div");
  let ofGame = null;
  let ofCount = null;

  function gameChoices(state) {
    const list = state.games.map(({ game }) => ({ value: game, content: [GAME_DRAWINGS[game]?.() ?? null, el("strong", {}, say(`game.${game}`)), el("small", {}, say(`setup.game.${game}`))] }));
    ofGame = choices(say("setup.game.which"), "game", list, (game) => command("choose_game", { game }));
    ofGame.root.classList.add("setup-games");
    return [ofGame.root];
  }

  function countChoices(players) {
    const { game } = players;
    const list = players.players.map((count) => ({ value: count, content: [el("strong", {}, say("setup.game.players", { n: count }))] }));
    ofCount = choices(say("setup.game.how_many"), "players", list, (count) => command("choose_game", { game, players: count }));
    return [ofCount.root];
  }

  return {
    root: el("div", {}, games, counts),
    draw(state, can) {
      const { game, setup } = state.draft;
      showAnew(games, JSON.stringify(state.games), () => gameChoices(state));
      const playing = state.games.find((each) => each.game === game);
      const some = playing && playing.players.length > 1 ? playing : null;
      showAnew(counts, JSON.stringify(some), () => (some ? countChoices(some) : []));
      ofGame.draw(game, can);
      if (some) ofCount.draw(setup.players, can);
    },
  };
}
