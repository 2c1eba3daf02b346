// What the module answers is what js/local/requests.d.ts says: every kind of request is asked, and tsc looks at question
// and answer. A field that one side has and the other has not is a mistake, unless the page reads the thing in part only.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import ts from 'typescript';
import { load, missing } from './load.mjs';

/** Where a file of ours would stand that imports the types. */
const FILE = fileURLToPath(new URL('../../js/local/contract.ts', import.meta.url));
/** What the page reads in part, or hands back as it came. */
const IN_PART = ['record', 'errand', 'progress', 'says'];
const HEAD = `import type { Requests, Told } from './requests.js';
declare function fits<T>(value: T): void;
declare function part<T>(value: T): T;
export type Name = keyof Requests;
`;

/** A value as tsc reads it. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => {
    const text = literal(inner);
    return `${JSON.stringify(key)}:${IN_PART.includes(key) && text.startsWith('{') ? `part(${text})` : text}`;
  });
  return `{${fields.join(',')}}`;
}

/** What tsc has to say about these lines, and which requests it knows. */
function check(lines) {
  const options = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2023.d.ts'],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const own = ts.createSourceFile(FILE, HEAD + lines.join('\n'), ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (name, ...more) => (name === FILE ? own : getSourceFile.call(host, name, ...more));
  host.fileExists = name => name === FILE || fileExists.call(host, name);
  const program = ts.createProgram([FILE], options, host);
  const complaints = [...program.getSyntacticDiagnostics(own), ...program.getSemanticDiagnostics(own)].map(
    ({ messageText, start }) => {
      const { line } = own.getLineAndCharacterOfPosition(start);
      const text = own.text.split('\n')[line];
      return `${ts.flattenDiagnosticMessageText(messageText, '\n')}\n  in ${text.slice(0, 300)}`;
    },
  );
  const alias = own.statements.find(ts.isTypeAliasDeclaration);
  const names = program
    .getTypeChecker()
    .getTypeAtLocation(alias)
    .types.map(type => type.value);
  // One mistake shows in many places.
  const said = new Map(complaints.map(words => [words.split('\n')[0], words]));
  return { complaints: [...said.values()], names };
}

/** Asks everything that there is to ask, as the page does. */
function talk(module, said) {
  const lines = [];
  const asked = new Set();
  const ask = (name, more) => {
    const answer = module.ask(name, more);
    asked.add(name);
    lines.push(`fits<Requests['${name}'][0]>(${literal(more)});`);
    lines.push(`fits<Requests['${name}'][1]>(${literal(answer)});`);
    return answer;
  };
  record(ask);
  play(ask, said);
  train(ask, said);
  lines.push(...said.map(told => `fits<Told>(${literal(told)});`));
  return { lines, asked };
}

/** Questions that are answered at once. */
function record(ask) {
  ask('info', {});
  ask('rules', { game: 'renju' });
  ask('rules', { game: 'connect4:9x10/d4' });
  const file = '(;FF[4]GM[4]SZ[15]C[a remark];B[hh];W[hi]C[x];B[ih](;W[gh])(;W[jh];B[kh]))';
  const { games } = ask('read', { about: { name: 'x.sgf', from: '', game: '' }, file });
  const kept = ask('keep', { record: JSON.stringify(games[0].record) });
  ask('show', { record: kept.record });
  ask('export', { record: kept.record, format: 'sgf' });
  ask('explore', { game: 'gomoku', moves: 'h8', records: [kept.record] });
  const fours = ['h8', 'a1', 'h9', 'a3', 'h10', 'a5'];
  ask('position', { game: 'gomoku', moves: fours });
  ask('position', { game: 'renju', moves: [] });
  ask('position', { game: 'gomoku', moves: [...fours, 'h11', 'c1', 'h12'] });
  ask('position', { game: 'connect4', moves: ['a1', 'b1', 'a2', 'b2', 'a3'] });
  ask('search', { player: 'strong', game: 'gomoku', moves: fours, nodes: 100, lines: 2 });
  ask('solve', { game: 'connect4:4x4', moves: ['a1'], nodes: 100, table: 1 });
  ask('solve', { game: 'connect4:8x8', moves: [], nodes: 1 });
  ask('solve', { game: 'gomoku', moves: ['h8'], nodes: 100 });
  ask('signature', { row: 0 });
}

const person = { player: 'human' };

/** A new game, opened. */
function open(ask, wanted) {
  const { entry, record, saved } = ask('new', { new: JSON.stringify(wanted) });
  const news = ask('open', { id: entry.id, created: entry.created, record, saved });
  const say = message => ask('say', { id: entry.id, message: JSON.stringify(message) });
  return { id: entry.id, record, news, say };
}

/** Live games, and everything that is thought about. */
function play(ask, said) {
  const hear = news => said.push(...news.told);
  const duel = open(ask, {
    game: 'gomoku',
    sides: [person, { player: 'strong@nodes=100' }],
    control: { per_game_ms: 60_000 },
    series: 3,
  });
  hear(duel.news);
  const { errand } = duel.say({ type: 'place', cell: 'h8', ply: 0 });
  hear(ask('begun', { id: duel.id, number: errand.number }));
  const { word } = ask('errand', { errand });
  hear(ask('word', { id: duel.id, word }));
  hear(ask('tick', { id: duel.id }));
  ask('close', { id: duel.id });
  hear(open(ask, { game: 'renju+taraguchi10', sides: [person, person], control: {} }).news);

  const small = open(ask, { game: 'connect4:4x4', sides: [person, person], control: {} });
  for (const [ply, cell] of ['a', 'b', 'a', 'b', 'c', 'b', 'a'].entries())
    hear(small.say({ type: 'place', cell, ply }));
  for (const message of [
    { type: 'hint' },
    { type: 'analyse', moves: ['a1', 'b1', 'a2', 'b2', 'c1', 'b3'], lines: 4 },
    { type: 'review' },
    { type: 'try', moves: ['a1'], turn: ['c1'] },
  ]) {
    const { do: name, ...more } = small.say(message).think;
    ask(name, more);
  }
  // A win that is seen at once, with threats of both sides.
  const empty = open(ask, { game: 'gomoku', sides: [person, person], control: {} }).record;
  const moves = ['h8', 'a1', 'h9', 'a2', 'h10', 'a3', 'h11', 'c1'];
  ask('analyse', { record: empty, moves, lines: 1 });
}

/** Puzzles and lessons. */
function train(ask, said) {
  const when = { ms: 0, day: '2026-11-17' };
  ask('train_sets', { progress: null, when });
  const any = { game: null, theme: null, level: null, after: null };
  ask('train_next', { progress: null, when, ...any });
  const { puzzle } = ask('train_daily', { when });
  ask('train_puzzle', { id: puzzle.id });
  const asked = { puzzle: puzzle.line, moves: [] };
  ask('train_hint', { ...asked, step: 1 });
  const { cells } = ask('train_hint', { ...asked, step: 3 });
  ask('train_play', { ...asked, turn: cells });
  ask('train_tree', { puzzle: puzzle.line });
  const { progress } = ask('train_finish', { progress: null, when, puzzle: puzzle.line, result: 'failed' });
  ask('train_due', { progress, when: { ms: 0, day: '2026-11-27' } });
  const review = said.findLast(told => told.type === 'review');
  const people = open(ask, { game: 'connect4:4x4', sides: [person, person], control: {} });
  ask('train_mistakes', { progress, when, record: people.record, review, stone: null });
  const { lessons } = ask('train_lessons', { progress });
  for (const { id } of lessons) ask('train_lesson', { id });
  const [{ id, tasks }] = lessons.filter(lesson => lesson.id === 'lines');
  ask('train_task', { lesson: id, step: tasks[0], moves: [], turn: ['j8'] });
  ask('train_learnt', { progress, when, lesson: id, step: tasks[0] });
  ask('train_import', { progress: null, when, text: JSON.stringify(progress) });
}

test('questions and answers have the types that the page relies on', { skip: missing }, async () => {
  const said = [];
  const module = await load(told => said.push(told));
  const { lines, asked } = talk(module, said);
  const kinds = new Set(said.map(told => told.type));
  for (const kind of ['state', 'thinking', 'begun', 'hint', 'analysis', 'review', 'tried'])
    assert.ok(kinds.has(kind), `nobody was told of a ${kind}: ${[...kinds]}`);
  const { complaints, names } = check(lines);
  assert.deepEqual(complaints, []);
  assert.deepEqual([...asked].sort(), names.sort(), 'every request that there is was asked');
});

test('a field too many, one too few and another word are noticed', () => {
  const board = { game: 'renju', width: 15, height: 15, blocked: [], drop: false, line: 5, exact: false };
  const whole = { ...board, per_turn: 1, first_turn: 1, renju: true };
  const said = value => check([`fits<Requests['rules'][1]>(${literal(value)});`]).complaints.join('\n');
  assert.equal(said(whole), '');
  assert.match(said({ ...whole, colour: 'blue' }), /colour/);
  assert.match(said(board), /per_turn/);
  assert.match(said({ ...whole, drop: 'no' }), /not assignable/);
});
