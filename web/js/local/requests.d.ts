// What the module answers (crates/wasm), typed by hand: its requests and answers are JSON.
import type {
  Board,
  Entry,
  Explored,
  Info,
  Reading,
  ServerMessage,
  Shown,
  Stone,
  Thought,
  TrainRequests,
  Words,
} from '../types.js';

/** A game as the library of this browser keeps it; record and saved are texts of JSON that only the module reads. */
export interface KeptGame {
  entry: Entry;
  record: string;
  saved: string | null;
}

/** A question to a player: only its number and side concern us. */
export interface Errand {
  number: number;
  stone: Stone;
}

/** What a player answers to an errand; one that failed fails in words. */
export interface Word {
  number: number;
  taken: { secs: number; nanos: number };
  says: { fails: string } | object | string;
}

/** What happened to a game, and what is to be done about it. */
export interface News {
  /** What the page is told. */
  told: ServerMessage[];
  /** What is to be kept before the page is told. */
  store: KeptGame | null;
  archived: KeptGame | null;
  errand: Errand | null;
  /** The number of the errand whose answer is awaited. */
  asked: number | null;
  /** When the game wants to be looked at again, in milliseconds. */
  wakes: number | null;
  think?: Thinking | { do: 'rest' } | null;
}

/** What an adviser is to think about. */
export type Thinking =
  | { do: 'hint'; record: string }
  | { do: 'analyse'; record: string; moves: string[]; lines: number }
  | { do: 'review'; record: string }
  | { do: 'try'; record: string; moves: string[]; turn: string[] };

export interface Found {
  turn: string[];
  info: Thought;
}

export interface Solution {
  result: string;
  score: number | null;
  line: string[];
  nodes: number;
  /** Why nothing was found: there is nothing more to try, or nodes ran out. */
  why: 'exhausted' | 'budget' | null;
}

export interface Position {
  legal: string[];
  forbidden: string[];
  to_move: Stone;
  stones_left: number;
  outcome: string | null;
  winning_line: string[] | null;
  threats: Record<Stone, { kind: string; at: string[] }[]>;
  must_hit: string[];
}

/** Every request by its name: what it needs, and what it is answered. */
export interface Requests extends TrainRequests {
  info: [{}, Info];
  rules: [{ game: string; threads?: number }, Board];
  new: [{ new: string }, KeptGame];
  keep: [{ record: string }, KeptGame];
  show: [{ record: string }, Shown];
  export: [{ record: string; format: string }, { file: string; ending: string }];
  read: [{ about: { name?: string; from?: string; game?: string }; file: string }, Reading];
  explore: [{ game: string; moves: string; records: string[] }, Explored];
  position: [{ game: string; moves: string[] }, Position];
  search: [{ player: string; game: string; moves: string[]; nodes: number; lines: number }, Found];
  solve: [{ game: string; moves: string[]; nodes: number; table?: number }, Solution];
  signature: [{ row: number }, { row: string | null }];
  open: [{ id: string; created: number; record: string; saved: string | null }, News];
  say: [{ id: string; message: string }, News];
  begun: [{ id: string; number: number }, News];
  word: [{ id: string; word: Word }, News];
  tick: [{ id: string }, News];
  close: [{ id: string }, { store: KeptGame | null }];
  errand: [{ errand: Errand }, { word: Word }];
  hint: [{ record: string }, { done: true }];
  analyse: [{ record: string; moves: string[]; lines: number }, { done: true }];
  review: [{ record: string }, { done: true }];
  try: [{ record: string; moves: string[]; turn: string[] }, { done: true }];
}

/** A question about training. */
export type Study = { [K in keyof TrainRequests]: { do: K } & TrainRequests[K][0] }[keyof TrainRequests];

/** What a search tells while it lasts. */
export type Told = ServerMessage | { type: 'begun'; number: number } | { type: 'panic'; words: string };

/** A refusal as it crosses from one worker to another. */
export interface Refusal extends Words {
  status: number;
}

/** What the page calls of its host. */
export interface Calls {
  ready: [[], null];
  info: [[], Info];
  rules: [[string], Board];
  newGame: [[string], { id: string; owner: string; tokens: [string | null, string | null] }];
  games: [[import('../types.js').Filter], import('../types.js').Found];
  explore: [[string, string], Explored];
  game: [[string], import('../types.js').Kept];
  remove: [[string], void];
  keep: [[string], { id: string; owner: string }];
  read: [[string, { name?: string; from?: string; game?: string }], Reading];
  file: [[string, string], { file: string; ending: string }];
  train: [[Study], object];
  solve: [[string, string[], number], Solution];
}

/** From the page to its host. */
export type ToHost =
  | { call: number; name: keyof Calls; with: unknown[] }
  | { line: number; open: string }
  | { line: number; say: string }
  | { line: number; think: Thinking | { do: 'rest' } }
  | { line: number; close: true };

/** From the host to its page. */
export type FromHost =
  | { call: number; answer: unknown }
  | { call: number; refused: Refusal }
  | { line: number; up: boolean }
  | { line: number; message: ServerMessage };
