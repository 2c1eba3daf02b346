// What page and server say to each other, as types: docs/web.md in the compiler's words, declared once.

export type Stone = 'black' | 'white';
export type Outcome = Stone | 'draw';
/** Black's first. */
export type Pair<T> = [T, T];
/** A text in both languages. */
export type Words = { en: string; zh: string };
export type Chance = number | null;

/** What the empty board of a game is. */
export interface Board {
  game: string;
  width: number;
  height: number;
  blocked: string[];
  drop: boolean;
  line: number;
  /** Whether more in a row than `line` count for nobody. */
  exact: boolean;
  per_turn: number;
  first_turn: number;
  renju: boolean;
}

/** Stones that lay on the board before the first move. */
export interface Setup {
  stones: { stone: Stone; cell: string }[];
  to_move: Stone;
  stones_left: number;
}

/** A board with what lay on it. */
export interface Start extends Board {
  setup?: Setup | null;
}

/** A stone on the board; one of a set-up belongs to turn -1. */
export interface Placed {
  cell: string;
  x: number;
  y: number;
  stone: Stone;
  turn: number;
  n: number;
}

/** A line that leaves another one; 0 is the game. */
export interface Variation {
  from: number;
  ply: number;
  moves: string[];
}

export interface Eval {
  score: number;
  win_in?: number;
  depth?: number;
  nodes?: number;
}

export interface Verdict {
  outcome?: Outcome;
  ending: string;
  /** Why somebody other than the stones decided. */
  why?: string;
  blame?: Stone;
}

export interface Side {
  name: string;
  player: string;
  human: boolean;
  thinking: boolean;
}

export interface Face {
  used_ms: number;
  turn_ms: number;
  left_ms: number | null;
}

export interface Series {
  length: number;
  wins: Pair<number>;
  draws: number;
  game: number;
  over: boolean;
}

/** Who must do what next to find sides. */
export interface Opening {
  rule: string;
  by: Stone;
  want: 'stone' | 'count' | 'fifths' | 'pick';
  /** How many stones or fifth moves in a row are that side's. */
  left: number;
  /** The largest number that can be declared. */
  most: number | null;
  /** The side of the central square within which a stone must lie. */
  zone: number | null;
  /** The side that one takes by a swap. */
  swap: Stone | null;
  more: 'two' | 'ten' | null;
  /** The fifth moves that are offered. */
  offered: string[];
  /** Null where no server has said any. */
  words: Words | null;
  begun: boolean;
}

/** A whole game, as the server sends it after every change. One that is only shown has the id ''. */
export interface State extends Start {
  type: 'state';
  id: string;
  moves: string[];
  times: (number | null)[];
  evals: (Eval | null)[];
  chances: Chance[];
  variations: Variation[];
  undone: number;
  setup: Setup | null;
  to_move: Stone;
  stones_left: number;
  forbidden: string[];
  /** Which foul each forbidden cell would be. */
  fouls?: ('overline' | 'double-four' | 'double-three')[];
  winning_line: string[] | null;
  verdict: Verdict;
  /** Null where no server has said any. */
  words: Words | null;
  sides: Pair<Side>;
  you: Stone[];
  owner: boolean;
  clocks: Pair<Face>;
  running: boolean;
  series: Series | null;
  opening: Opening | null;
  before: string | null;
  kept: boolean;
  /** Whether engines answer people at once, not after a moment. */
  instant?: boolean;
}

/** A line of an engine's thoughts. */
export interface Advice {
  score: number;
  win_in: number | null;
  chance: Chance;
  cells: string[];
}

export interface Thought {
  depth: number;
  nodes: number;
  lines: Advice[];
}

export interface Threat {
  kind: 'five' | 'four' | 'three';
  cells: string[];
  at?: string[];
}

export interface Analysis {
  type: 'analysis';
  moves: string[];
  to_move: Stone;
  info: Thought;
  threats: Record<Stone, Threat[]>;
  must_hit: string[];
  done: boolean;
}

export type Grade = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'missed-win';

/** A turn of a game that was gone through. `before` and `after` are Black's chances. */
export interface Reviewed {
  ply: number;
  stone: Stone;
  turn: string[];
  grade: Grade;
  /** What it gave away of the mover's chance, from 0 to 1. */
  loss: number;
  before: number;
  after: number;
  /** A proven end: above 0 Black wins in so many stones, below White, 0 is a draw. */
  before_in: number | null;
  after_in: number | null;
  best: string[];
  line: string[];
  /** The other side's best line after the turn that was played. */
  reply: string[];
  words: Words | null;
  advice: Words | null;
  threat: Threat | null;
  stops: string[];
  score: number;
  win_in: number | null;
  chance: Chance;
}

/** How well a side played. */
export interface SideReview {
  accuracy: number | null;
  grades: Record<Grade, number>;
}

export interface Review {
  type: 'review';
  done: boolean;
  looked: number;
  of: number;
  plies: Reviewed[];
  mistakes: number[];
  sides: Pair<SideReview>;
  turning: number | null;
}

/** How good a turn would have been. */
export interface Tried {
  type: 'tried';
  moves: string[];
  tried: Reviewed | null;
}

export interface Hint {
  type: 'hint';
  turn: string[];
  line: Advice | null;
}

export type ServerMessage =
  | State
  | Analysis
  | Review
  | Tried
  | Hint
  | { type: 'thinking'; stone: Stone; info: Thought }
  | ({ type: 'error' } & Words)
  | { type: 'pong' };

export type ClientMessage =
  | { type: 'place'; cell: string; ply: number }
  | { type: 'declare'; count: number }
  | { type: 'undo' | 'redo' | 'take' | 'more' | 'resign' | 'restart' | 'swap' | 'next' | 'hint' | 'review' | 'ping' }
  | { type: 'analyse'; moves: string[]; lines: number }
  | { type: 'analyse'; moves: null }
  | { type: 'try'; moves: string[]; turn: string[] }
  | { type: 'instant'; on: boolean }
  | { type: 'keep'; moves: string[] }
  | { type: 'forget'; line: number };

/** One stone of a record. */
export interface Move {
  cell: string;
  time_ms?: number;
  eval?: Eval;
}

/** Our JSON form of a game, as far as the page reads it. */
export interface GameRecord {
  format: 'lianzi-game';
  version: 1;
  game: string;
  setup?: Setup;
  sides: Pair<{ name: string }>;
  moves: Move[];
  verdict: Verdict;
  comment?: string;
  variations?: { from: number; ply: number; moves: Move[] }[];
}

export interface Control {
  per_move_ms?: number;
  per_game_ms?: number;
  increment_ms?: number;
}

/** A game that a page asks for. */
export interface NewGame {
  game: string;
  sides: { player: string; name?: string }[];
  control: Control;
  series?: number;
  pace_ms?: number;
  instant?: true;
  record?: GameRecord;
}

/** What was made, and the secret of whoever made it. */
export interface Made {
  id: string;
  owner: string;
}

/** A game that was made; an engine's seat has no token. */
export interface MadeGame extends Made {
  tokens: Pair<string | null>;
}

/** A player of this server: which games it plays, and how many levels it has. */
export interface Player {
  player: string;
  name: string;
  games: string[];
  levels: number;
}

/** A level as people know it. */
export interface Level {
  level: number;
  name: Words;
  about: Words;
}

export interface Info {
  version: string;
  players: Player[];
  engines: string[];
  levels: Level[];
  formats: string[];
  games: string[];
}

/** A game of a list. */
export interface Listed {
  id: string;
  black: string;
  white: string;
  outcome: Outcome | 'none';
  ending: string;
  plies: number;
  live?: boolean;
}

export interface Entry extends Listed {
  game: string;
  created: number;
}

export interface Filter {
  q: string;
  game: string;
  result: string;
  page: number;
}

export interface Found {
  total: number;
  page: number;
  games: Entry[];
}

export interface Shown {
  record: GameRecord;
  chances: Chance[];
}

/** A game of the library. */
export interface Kept extends Shown {
  live: boolean;
}

export interface Loaded extends Shown {
  problem: Words | null;
}

/** What a file holds. */
export interface Reading {
  games: Loaded[];
  total: number;
}

export interface NewContest {
  game: string;
  players: string[];
  games: number;
  format: string;
  control: Control;
  sprt?: Pair<number>;
}

export interface ContestEntry {
  id: string;
  title: string;
  finished: boolean;
  games: number;
  planned: number | null;
}

export interface ContestList {
  contests: ContestEntry[];
}

export interface Tally {
  wins: number;
  draws: number;
  losses: number;
}

export interface Standing extends Tally {
  rank: number;
  name: string;
  points: number;
  elo: number | null;
  elo_error: number | null;
  faults: number;
}

export interface Contest {
  title: string;
  games: number;
  planned: number | null;
  finished: boolean;
  running: boolean;
  standings: Standing[];
  players: { name: string }[];
  cross: Tally[][];
  list: Listed[];
  /** Of a match of two. */
  elo?: number | null;
  elo_error?: number | null;
  los?: number | null;
}

/** What an attribute of an element may be. */
export type Value = string | number | boolean | null | undefined;
type Listeners = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
/** Attributes by name, listeners as `onclick`. */
export type Attributes = Listeners & { [name: string]: Value | ((event: never) => void) };
/** What stands in an element. */
export type Child = Node | string | number | false | null | undefined | Child[];
