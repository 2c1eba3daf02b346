// Words: texts of the page in the reader's language, and names for games, players and results.
import { recall, remember } from './prefs.js';
import { TABLE } from './table.js';

export { TABLE };

const chosen = recall('language', null) ?? (/^zh/i.test(navigator.language) ? 'zh' : 'en');
let now = chosen === 'zh' ? 1 : 0;

export const language = () => (now ? 'zh' : 'en');

export function switchLanguage() {
  now = 1 - now;
  remember('language', language());
}

/** @param {string} key @param {Record<string, string | number | null | undefined>} [values] */
export function t(key, values = {}) {
  const words = (TABLE[values.n === 1 ? `${key}1` : key] ?? TABLE[key])?.[now] ?? key;
  return words.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** @typedef {string | import('./types.js').Words | null | undefined} Said */

/** A text, or words of the server in both languages. @param {Said} words */
export const say = words => (typeof words === 'string' ? words : (words?.[language()] ?? words?.en ?? ''));

/** @typedef {{ drop: boolean }} Coloured A game whose discs are red and yellow, or whose stones are black and white. */

/** What a side is called in a game. @param {Coloured} game @param {string} stone */
export const stoneName = (game, stone) => t(game.drop ? (stone === 'black' ? 'red' : 'yellow') : stone);

/** The side of a name, short: "Black", "黑". @param {Coloured} game @param {string} stone */
export const shortName = (game, stone) => stoneName(game, stone).replace(/方$/, '');

/** Words of the server, who speaks of black and white stones, with the colours of the board. */
export function sayOf(/** @type {Coloured} */ game, /** @type {Said} */ words) {
  const said = say(words);
  if (!game.drop) return said;
  return said
    .replace(/\bBlack\b/g, t('red'))
    .replace(/\bWhite\b/g, t('yellow'))
    .replace(/黑方/g, t('red'))
    .replace(/白方/g, t('yellow'));
}

/** What ended a game, in a word; nothing where a record does not tell. @param {string} ending @param {string} [why] */
function endingWords(ending, why) {
  const names = /** @type {Record<string, string>} */ ({ stones: 'stonesWrong', opening: 'openingWrong' });
  if (ending !== 'adjudicated') return t(names[ending] ?? ending);
  return why === 'untold' ? '' : t(why === 'forfeit' ? why : ending);
}

/** Who won and how. @param {string} outcome @param {string} ending @param {string} [why] @param {Coloured} [game] */
export function outcomeWords(outcome, ending, why, game = { drop: false }) {
  if (outcome === 'draw') return t('draw');
  const side = stoneName(game, outcome);
  if (ending === 'timeout') return t('wonTime', { side });
  // A line is how games are won: it needs no word.
  const how = ending === 'line' ? '' : endingWords(ending, why);
  const joint = how.startsWith('by ') ? ' ' : ' · ';
  return [t('won', { side }), how].filter(Boolean).join(joint);
}

const NUMBERS = {
  en: ['three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  zh: ['三', '四', '五', '六', '七', '八', '九'],
};
/** @param {number} n */
export const numberWords = n => NUMBERS[/** @type {'en' | 'zh'} */ (language())][n - 3] ?? String(n);

/** A game's name for people. @param {string} game */
export function gameWords(game) {
  const [, kind = '', size = '', blocked = '', rule = ''] =
    /^(\w+)(?::([^/+]*))?(?:\/([^+]*))?(?:\+(\w+))?$/.exec(game) ?? [];
  if (!TABLE[kind]) return game;
  const room =
    size === 'random' || kind === 'connect'
      ? size
      : size.includes('x')
        ? size.replace('x', '×')
        : size && `${size}×${size}`;
  const opening = rule && t(`rule-${rule}`);
  const at = blocked && t('blockedAt', { cells: blocked.replaceAll(',', ' ') });
  return [[t(kind), room].filter(Boolean).join(' '), at, opening].filter(Boolean).join(' · ');
}

/** What our engines are called. @type {Record<string, [string, string]>} */
const ENGINES = {
  strong: ['Computer', '电脑'],
  solver: ['Solver', '求解器'],
  uct: ['UCT', 'UCT'],
  greedy: ['Greedy', '贪心'],
  random: ['Random', '随机'],
  'classic-connect6': ['Classic Connect6', '经典六子棋'],
  'classic-gomoku': ['Classic Gomoku', '经典五子棋'],
  'classic-uct': ['Classic UCT', '经典 UCT'],
  'classic-python': ['Classic Python', '经典 Python'],
};

/** What the levels are called until the server has said it. @type {import('./types.js').Level[]} */
let levels = [
  ['Beginner', '新手'],
  ['Novice', '入门'],
  ['Casual', '爱好者'],
  ['Club', '棋友'],
  ['Skilled', '熟手'],
  ['Strong', '好手'],
  ['Expert', '高手'],
  ['Ace', '名手'],
  ['Champion', '国手'],
  ['Master', '大师'],
].map(([en, zh], n) => ({ level: n + 1, name: { en, zh }, about: { en: '', zh: '' } }));

/** @param {import('./types.js').Level[] | undefined} told */
export const setLevels = told => {
  if (told?.length) levels = told;
};
export const allLevels = () => levels;
/** @param {number} n */
export const levelName = n => say(levels.find(one => one.level === n)?.name) || t('level', { n });

/** The level of a player that has one. @param {string} player */
export const levelOf = player => Number(/@(?:.*,)?level=(\d+)/.exec(player)?.[1] ?? 0);

/** What limits an engine, as far as people know the words. @param {string} option */
function optionWords(option) {
  const [key, value = ''] = option.split('=');
  return key === 'level'
    ? levelName(Number(value))
    : key === 'nodes'
      ? t('ofNodes', { n: value })
      : key === 'time'
        ? t('ofTime', { s: value.replace(/(\d)s$/, '$1 s') })
        : option;
}

/** A contest's headline: its game and who plays. @param {string} title */
export function contestWords(title) {
  const [, game = '', rest = title] = /^(\S+): (.*)$/s.exec(title) ?? [];
  const count = /^(\d+) players$/.exec(rest);
  const who = count ? t('playersOf', { n: count[1] }) : rest.split(' – ').map(playerWords).join(' – ');
  return game ? `${gameWords(game)} · ${who}` : title;
}

/** A player's name for people: `strong@level=5` is "Strong, level 5". @param {string} player */
export function playerWords(player) {
  if (player === 'human') return t('human');
  const [name, options = ''] = player.split(/@(.*)/s);
  const more = options.split(',').filter(Boolean).map(optionWords).join(' · ');
  const title = ENGINES[name]?.[now] ?? name.charAt(0).toUpperCase() + name.slice(1);
  return more ? `${title} · ${more}` : title;
}

/**
 * What stands beside the name of a side: its level, or what limits it.
 * @param {{ player?: string }} side
 * @param {boolean} [brief]
 */
export function sideTag({ player = '' }, brief = false) {
  const level = levelOf(player);
  if (level) return brief ? levelName(level) : `${levelName(level)} · ${t('level', { n: level })}`;
  const options = player.split(/@(.*)/s)[1] ?? '';
  return options.split(',').filter(Boolean).map(optionWords).join(' · ');
}

/** A person without a name. @param {import('./types.js').State} state @param {string} stone */
const nobody = (state, stone) => (state.you.length === 2 || state.between ? stoneName(state, stone) : t('human'));

/** Who plays a side of a game, without its level. @param {import('./types.js').State} state @param {string} stone */
export function sideName(state, stone) {
  const side = state.sides[stone === 'black' ? 0 : 1];
  const mine = state.you.length === 1 && state.you[0] === stone;
  if (side.human && (!side.name || side.name === 'human'))
    return mine ? t('you') : state.you.length === 1 ? t('yourFriend') : nobody(state, stone);
  if (side.human || (side.name && side.name !== side.player)) return side.name;
  return playerWords(side.player.split('@')[0]);
}

/** @param {{ name?: string, player?: string }} side */
export const sideWords = side =>
  side.name && side.name !== side.player && side.name !== 'human'
    ? side.name
    : playerWords(side.player ?? side.name ?? '');

/**
 * Who plays a side of a game of a list. Two people without names are told apart by their colours.
 * @param {{ game: string, black: string, white: string }} listed
 * @param {import('./types.js').Stone} stone
 */
export function listedName(listed, stone) {
  const unnamed = [listed.black, listed.white].every(name => ['', '?', 'human'].includes(name));
  if (unnamed) return stoneName({ drop: listed.game.startsWith('connect4') }, stone);
  return sideWords({ player: listed[stone], name: listed[stone] }) || '?';
}

/** How a game of a list ended. @param {import('./types.js').Listed & { game?: string }} game */
export function resultWords({ outcome, ending, live, game = '' }) {
  if (outcome === 'none') return t(live ? 'live' : 'unfinished');
  // Nobody adjudicates a game at this board: such a result comes from a file, and a list does not know its reason.
  return outcomeWords(outcome, ending, 'untold', { drop: game.startsWith('connect4') });
}
