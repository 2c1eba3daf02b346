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
  /** The opening rules it can begin with; a board that the page knows by itself says none. */
  openings?: string[];
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
  /** Whether a person who plays this side is connected. */
  here?: boolean;
}

/** What one of two people asks the other for. */
export interface Offer {
  what: Asked;
  by: Stone;
}
export type Asked = 'undo' | 'restart' | 'swap' | 'next' | 'draw' | 'analysis';

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

/** How games ended that came through a position. */
export interface Results {
  games: number;
  black: number;
  draws: number;
  white: number;
}

/** What was played from a position, in the games of the library. */
export interface Explored {
  named: Words | null;
  /** How many games were looked through. */
  looked: number;
  total: Results;
  moves: Continuation[];
}

/** A stone that was played next. */
export interface Continuation extends Results {
  cell: string;
  /** All cells at which it is the same move. */
  alike: string[];
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
  /** What is wrong with each forbidden cell. */
  fouls?: string[];
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
  /** What the players may use; nothing where there is no limit. */
  control?: Control;
  /** Two people play, each on a screen of their own: what concerns both needs both. */
  between?: boolean;
  /** What one of them asks the other for. */
  offer?: Offer | null;
  /** Whether hints and analyses are open: alone, at the end, or when both have agreed. */
  advice?: boolean;
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

/** What a turn is worth. */
export type Grade = 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'missed-win';

/** A turn of a game that was gone through; `before` and `after` are Black's chance. */
export interface Reviewed {
  ply: number;
  stone: Stone;
  turn: string[];
  grade: Grade;
  loss: number;
  before: number;
  after: number;
  before_in: number | null;
  after_in: number | null;
  best: string[];
  line: string[];
  /** What the other side can do now. */
  reply: string[];
  words: Words | null;
  advice: Words | null;
  threat: Threat | null;
  /** Cells that would have answered the threat. */
  stops: string[];
  score: number;
  win_in: number | null;
  chance: Chance;
}

export interface Figures {
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
  sides: Pair<Figures>;
  turning: number | null;
}

/** What became of an attempt to find a better turn. */
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
  | Tried
  | { type: 'said'; by: Stone; phrase: string }
  | { type: 'thinking'; stone: Stone; info: Thought }
  | ({ type: 'error' } & Words)
  | { type: 'pong' };

export type ClientMessage =
  | { type: 'place'; cell: string; ply: number; waited_ms?: number }
  | { type: 'declare'; count: number }
  | { type: 'undo' | 'redo' | 'take' | 'more' | 'resign' | 'restart' | 'swap' | 'next' | 'hint' | 'review' | 'ping' }
  | { type: 'analyse'; moves: string[]; lines: number }
  | { type: 'analyse'; moves: null }
  | { type: 'accept' | 'decline' }
  | { type: 'offer'; what: Asked }
  | { type: 'say'; phrase: string }
  | { type: 'name'; name: string }
  | { type: 'instant'; on: boolean }
  | { type: 'try'; moves: string[]; turn: string[] }
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

export interface Level {
  level: number;
  name: Words;
  about: Words;
}

export interface Info {
  version: string;
  /** Addresses of this server that others may reach. */
  addresses?: string[];
  /** Whether everybody may search the library. */
  library?: boolean;
  players: Player[];
  engines: string[];
  levels: Level[];
  formats: string[];
  games: string[];
  /** Whether learners keep their progress on this server. */
  class?: boolean;
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

/** The game that a contest plays just now. */
export interface LiveBoard extends Board {
  moves: string[];
  black: string | null;
  white: string | null;
}

export interface ContestEntry {
  now?: LiveBoard | null;
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
  now?: LiveBoard | null;
  /** Of a match of two. */
  elo?: number | null;
  elo_error?: number | null;
  los?: number | null;
}

/** The page's time: milliseconds since 1970, and the local day as 2026-11-17. */
export interface When {
  ms: number;
  day: string;
}

/** A learner's progress (docs/train.md): only the engine reads it. */
export type Progress = { format: 'lianzi-progress' };

export type Goal = 'win' | 'hold' | 'best';
export type Difficulty = 'easy' | 'medium' | 'hard';

/** A puzzle; `line` is what requests name it by, `moves` lead to its position. */
export interface Puzzle {
  id: string;
  line: string;
  number: number | null;
  theme: string;
  goal: Goal;
  title: Words;
  name: Words;
  about: Words;
  turns: number;
  rating: number;
  level: Difficulty;
  moves: string[];
  to_move: Stone;
  stones_left: number;
  forbidden: string[];
  start: Board;
}

/** What became of a turn of a puzzle or of a task. */
export interface Played {
  verdict: 'right' | 'longer' | 'solved' | 'wrong';
  words: Words;
  turn: string[];
  /** The strongest defence. */
  answer: string[];
  /** All stones since the position; without this turn if it was wrong. */
  moves: string[];
  stones_left: number;
  done: number;
  turns: number;
  over: boolean;
  /** Turns that would have been right, once nothing can be solved any more. */
  better: string[][];
  /** How the other side goes on after a wrong turn. */
  refutation: string[];
  forbidden: string[];
  winning_line: string[] | null;
}

export interface TrainHint {
  step: number;
  of: number;
  words: Words;
  cells: string[];
}

/** A turn of a puzzle's solution and what follows; an empty turn stands for anything else. */
export interface Branch {
  turn: string[];
  by: Stone;
  best: boolean;
  end: 'five' | 'four' | 'six' | 'line' | 'foul' | 'draw' | 'more' | null;
  then: Branch[];
}

/** Puzzles of one game and theme; a level has how many there are and how many are solved. */
export interface TrainSet {
  game: string;
  theme: string;
  title: Words;
  name: Words;
  about: Words;
  count: number;
  solved: number;
  levels: Record<Difficulty, [number, number]>;
}

export interface Summary {
  rating: number;
  deviation: number;
  sure: boolean;
  today: { solved: number; tried: number; goal: number; change: number };
  row: { now: number; best: number };
  days: { now: number; best: number };
  due: number;
  mistakes: number;
  solved: number;
  tried: number;
  history: { day: string; rating: number; solved: number; tried: number }[];
  lessons: Record<string, number[]>;
  daily: boolean;
}

export interface LessonEntry {
  id: string;
  game: string;
  title: Words;
  about: Words;
  steps: number;
  /** Which steps have a task. */
  tasks: number[];
  done: number[];
}

export interface LessonStep {
  words: Words;
  start: Start;
  moves: string[];
  marks: string[];
  to_move: Stone;
  stones_left: number;
  forbidden: string[];
  task: {
    kind: 'play' | 'win' | 'hold' | 'make' | 'find' | 'number';
    words: Words;
    turns: number | null;
    mark: boolean;
    number: boolean;
    hint: Words | null;
  } | null;
}

export interface Lesson {
  id: string;
  game: string;
  title: Words;
  about: Words;
  tasks: number[];
  steps: LessonStep[];
}

/** A learner as the teacher sees it. */
export interface Learner {
  id: string;
  name: string;
  seen: string;
  summary: Summary;
  sets: { game: string; theme: string; tried: number; solved: number }[];
}

type WithProgress = { progress: Progress | null };
/** What is asked about training, by its name: the same of a server (`POST /api/train`) and of the module. */
export interface TrainRequests {
  train_sets: [WithProgress & { when: When }, { sets: TrainSet[]; summary: Summary }];
  train_next: [
    WithProgress & {
      when: When;
      game: string | null;
      theme: string | null;
      level: Difficulty | null;
      after: string | null;
    },
    { puzzle: Puzzle | null },
  ];
  train_daily: [{ when: When }, { puzzle: Puzzle }];
  train_puzzle: [{ id: string }, { puzzle: Puzzle }];
  train_play: [{ puzzle: string; moves: string[]; turn: string[] }, Played];
  train_hint: [{ puzzle: string; moves: string[]; step: number }, TrainHint];
  train_tree: [{ puzzle: string }, { tree: Branch[]; cut: boolean }];
  train_finish: [
    WithProgress & { when: When; puzzle: string; result: 'solved' | 'helped' | 'failed' },
    { progress: Progress; summary: Summary; change: number; again: string | null },
  ];
  train_due: [WithProgress & { when: When }, { puzzles: Puzzle[]; count: number; next: string | null }];
  train_mistakes: [
    WithProgress & { when: When; record: string; review: Review; stone: Stone | null },
    { progress: Progress; summary: Summary; added: number },
  ];
  train_lessons: [WithProgress, { lessons: LessonEntry[] }];
  train_lesson: [{ id: string }, { lesson: Lesson }];
  train_task: [{ lesson: string; step: number; moves: string[]; turn: string[] }, Played];
  train_learnt: [WithProgress & { when: When; lesson: string; step: number }, { progress: Progress; summary: Summary }];
  train_import: [WithProgress & { when: When; text: string }, { progress: Progress; summary: Summary }];
}

/** Everybody who learns on a server. */
export interface Learners {
  learners: Learner[];
}

/** What a learner hands in to a class. */
export interface HandedIn {
  progress: Progress;
  when: When;
}

/** Asks about training. */
export type Train = <K extends keyof TrainRequests>(name: K, more: TrainRequests[K][0]) => Promise<TrainRequests[K][1]>;

/** What an attribute of an element may be. */
export type Value = string | number | boolean | null | undefined;
type Listeners = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
/** Attributes by name, listeners as `onclick`. */
export type Attributes = Listeners & { [name: string]: Value | ((event: never) => void) };
/** What stands in an element. */
export type Child = Node | string | number | false | null | undefined | Child[];
