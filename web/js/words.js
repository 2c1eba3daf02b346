// Every text of the page in both languages. `{x}` is filled in.
import { recall, remember } from './prefs.js';

/** @type {Record<string, [string, string]>} */
export const TABLE = {
  play: ['Play', '对弈'],
  library: ['Library', '棋谱库'],
  arena: ['Arena', '赛场'],
  rules: ['Rules', '规则'],
  language: ['中文', 'English'],
  theme: ['Light or dark', '明暗主题'],
  sound: ['Sound', '声音'],
  soundOn: ['Sound is on', '声音已开'],
  soundOff: ['Sound is off', '声音已关'],
  thinksHere: ['Engines think on this device', '引擎在本机思考'],
  thinksThere: ['Engines think on the server', '引擎在服务器上思考'],
  thinksHereNow: [
    'Engines think on this device now: your next game is played and kept in this browser.',
    '引擎改在本机思考：下一局在此浏览器中进行并保存。',
  ],
  thinksThereNow: [
    'Engines think on the server now: your next game is played and kept there.',
    '引擎改在服务器上思考：下一局在服务器上进行并保存。',
  ],
  keys: ['Keys', '快捷键'],
  close: ['Close', '关闭'],
  cancel: ['Cancel', '取消'],
  start: ['Start', '开始'],
  newGame: ['New game', '新对局'],
  black: ['Black', '黑方'],
  white: ['White', '白方'],
  draw: ['Draw', '和棋'],
  unfinished: ['Unfinished', '未结束'],
  any: ['Any', '全部'],
  human: ['Human', '人'],
  you: ['You', '你'],
  level: ['level {n}', '{n} 级'],
  levelWord: ['Level', '级别'],
  engine: ['Engine', '引擎'],
  ofNodes: ['{n} positions', '{n} 局面'],
  ofTime: ['{s} a move', '每手 {s}'],
  playersOf: ['{n} players', '{n} 名棋手'],
  program: ['Program', '程序'],
  // The game
  toMove: ['{side} to move', '轮到{side}'],
  yourMove: ['Your move', '轮到你'],
  yourMoveOf: ['Your move: {side}', '轮到你：{side}'],
  stonesLeft: ['{n} stones to place', '还要下 {n} 子'],
  oneLeft: ['one more stone; the first can be taken back', '再下一子；第一子可以收回'],
  thinking: ['{side} is thinking…', '{side}思考中…'],
  waiting: ['waiting', '等待'],
  paused: ['paused', '暂停'],
  undo: ['Undo', '悔棋'],
  redo: ['Redo', '重做'],
  hint: ['Hint', '提示'],
  analyse: ['Analyse', '分析'],
  swap: ['Swap', '换边'],
  resign: ['Resign', '认输'],
  restart: ['Restart', '重开'],
  reallyResign: ['Really?', '确定？'],
  nextGame: ['Next game', '下一局'],
  moves: ['Moves', '着法'],
  analysis: ['Analysis', '分析'],
  game: ['Game', '对局'],
  first: ['First', '开头'],
  back: ['Back', '后退'],
  forward: ['Forward', '前进'],
  last: ['Last', '最后'],
  move: ['Move', '着法'],
  noMoves: ['No stones yet. Click the board to play.', '还没有棋子。点击棋盘即可落子。'],
  beginning: ['Empty board', '空棋盘'],
  bestOf: ['Best of {n} · game {g}', '{n} 局赛 · 第 {g} 局'],
  tally: ['{a} – {b}', '{a} – {b}'],
  draws: ['{n} draws', '{n} 和'],
  draws1: ['1 draw', '1 和'],
  seriesOver: ['The series is over', '系列赛结束'],
  empty: ['empty', '空'],
  blocked: ['blocked', '障碍'],
  forbidden: ['forbidden for Black', '黑方禁手'],
  cellIs: ['{cell}, {what}', '{cell}，{what}'],
  boardOf: ['Board of {game}, {w} by {h}', '{game}棋盘，{w}×{h}'],
  keysHint: ['Arrow keys move on the board, Enter places a stone.', '方向键在棋盘上移动，回车落子。'],
  placed: ['{side} {cell}', '{side} {cell}'],
  // Openings
  opening: ['Opening', '开局'],
  'rule-none': ['None: Black begins', '无：黑先'],
  'rule-pie': ['Pie rule: swap after the first turn', '一手交换'],
  'rule-swap': ['Swap', '三手交换（Swap）'],
  'rule-swap2': ['Swap2', 'Swap2'],
  'rule-rif': ['RIF', 'RIF（三手交换五手两打）'],
  'rule-yamaguchi': ['Yamaguchi', '山口规则'],
  'rule-soosyrv8': ['Soosyrv-8', '索索夫-8'],
  'rule-taraguchi10': ['Taraguchi-10', '塔拉古奇-10'],
  'rule-sakata': ['Sakata', '坂田规则'],
  opens: ['opens', '开局'],
  chooses: ['chooses', '选择'],
  opensWith: ['Opening: {rule}', '开局：{rule}'],
  layStones: ['Opening: {n} stones to place', '开局：还要摆 {n} 子'],
  layStones1: ['Opening: one stone to place', '开局：还要摆 1 子'],
  laysStones: ['Opening: {side} places {n} more stones', '开局：{side}还要摆 {n} 子'],
  laysStones1: ['Opening: {side} places one more stone', '开局：{side}还要摆 1 子'],
  offerMoves: ['Opening: {n} fifth moves to offer', '开局：还要摆 {n} 个打点'],
  offerMoves1: ['Opening: one fifth move to offer', '开局：还要摆 1 个打点'],
  offersMoves: ['Opening: {side} offers {n} fifth moves', '开局：{side}还要摆 {n} 个打点'],
  offersMoves1: ['Opening: {side} offers one fifth move', '开局：{side}还要摆 1 个打点'],
  yourChoice: ['Your choice', '请选择'],
  choiceOf: ['{side} chooses', '由{side}选择'],
  takeBlack: ['Swap: take Black', '交换：执黑'],
  takeWhite: ['Swap: take White', '交换：执白'],
  layTwo: ['Place two more', '再摆两子'],
  offerTen: ['Offer ten fifth moves', '摆十个打点'],
  fullStop: ['.', '。'],
  youAre: ['The sides are settled: you play {side}.', '黑白已定：你执{side}。'],
  sidesAre: [
    'The sides are settled: {black} plays Black, {white} plays White.',
    '黑白已定：{black}执黑，{white}执白。',
  ],
  // Refusals
  notYours: ['It is {side}’s turn, not yours.', '现在轮到{side}，还不能下。'],
  watchingOnly: [
    'You are watching this game; only its players can place stones.',
    '你在观看这局棋，只有对局者可以落子。',
  ],
  taken: ['{cell} is taken.', '{cell} 已有棋子。'],
  blockedCell: ['{cell} is blocked.', '{cell} 是障碍。'],
  columnFull: ['Column {c} is full.', '{c} 列已满。'],
  forbiddenCell: ['{cell} is forbidden for Black (renju).', '{cell} 是黑方禁手。'],
  gameOver: [
    'The game is over. Start a new one, or step back to try something else.',
    '对局已结束。可以新开一局，或后退试下。',
  ],
  lineOver: ['This line has ended; step back to try something else.', '这条变化已分出胜负，请后退再试。'],
  tapAgain: ['Tap again to place a stone on {cell}.', '再点一次在 {cell} 落子。'],
  offline: ['No connection. Trying again…', '连接断开，正在重连…'],
  noServer: ['The server does not answer. Is it still running?', '服务器没有响应，它还在运行吗？'],
  notHere: ['This game is not on this server.', '这台服务器上没有这局棋。'],
  ownerOnly: ['Only the person who made this game can do that.', '只有创建这局棋的人才能这样做。'],
  // Trying out
  exploring: ['Trying out', '试下'],
  variation: ['Variation, kept', '变化，已保存'],
  forgetLine: ['Forget this line', '删除这条变化'],
  backToGame: ['Back to the game', '回到对局'],
  looking: ['Looking back: move {n} of {of}', '回看：第 {n} / {of} 子'],
  toNow: ['To the last move', '回到当前'],
  goOn: ['Play on from here', '从这里继续下'],
  // Analysis
  analysisOn: ['Engine on', '开启引擎'],
  analysisOff: ['Engine off', '关闭引擎'],
  threats: ['Threats', '威胁'],
  depth: ['depth {n}', '深度 {n}'],
  nodes: ['{n} positions', '{n} 个局面'],
  review: ['Review the game', '复盘'],
  reviewing: ['Going through the game… {n} of {of}', '正在复盘… {n} / {of}'],
  mistakes: ['Decisive mistakes', '关键失误'],
  noMistakes: ['No decisive mistakes found.', '没有发现关键失误。'],
  mistake: [
    '{n}. {side} {cell}: better was {best} (−{loss} %)',
    '第 {n} 子 {side} {cell}：更好的是 {best}（−{loss}%）',
  ],
  evaluation: ['Winning chance of Black', '黑方胜率'],
  graph: ['Winning chance over the game; click to jump', '全局胜率；点击跳转'],
  analysisIdle: [
    'Turn the engine on to see its best moves on the board, or let it review the whole game.',
    '开启引擎，棋盘上会显示最佳着法；也可以让它复盘全局。',
  ],
  bestMoves: ['Best moves', '最佳着法'],
  five: ['five', '五连'],
  four: ['four', '四'],
  three: ['open three', '活三'],
  fiveAny: ['line', '连线'],
  fourAny: ['one turn from a line', '差一手连线'],
  threeAny: ['open row', '活棋'],
  mustHit: ['must be hit', '必须堵'],
  thinksOf: ['Thinking', '思考'],
  noGameYet: ['Place a stone first; then the game begins.', '请先落一子，对局随即开始。'],
  onlyShown: [
    'This game is only shown. Choose “Play on from here” to play.',
    '这局棋仅供查看。选择“从这里继续下”即可对弈。',
  ],
  // Game tab
  share: ['Share', '分享'],
  watchLink: ['Link to watch', '观看链接'],
  positionLink: ['Link with the moves', '含着法的链接'],
  invite: ['Invite a friend', '邀请朋友'],
  inviteWords: [
    'Send this link to your friend, who plays the other side. You keep {side}.',
    '把此链接发给朋友，朋友执另一方。你执{side}。',
  ],
  keepSide: ['You keep', '你执'],
  copied: ['Link copied', '链接已复制'],
  copyHere: ['Copy this link', '请复制此链接'],
  copy: ['Copy', '复制'],
  save: ['Save as', '保存为'],
  saveFile: ['Save', '保存'],
  load: ['Load', '载入'],
  keep: ['Keep in the library', '存入棋谱库'],
  keptWords: ['Kept in the library.', '已存入棋谱库。'],
  gameName: ['Game', '棋种'],
  players: ['Players', '棋手'],
  time: ['Time', '用时'],
  comment: ['Comment', '注释'],
  result: ['Result', '结果'],
  // New game
  chooseGame: ['Game', '棋种'],
  gomoku: ['Gomoku', '五子棋'],
  connect6: ['Connect6', '六子棋'],
  connect4: ['Connect Four', '四子棋'],
  renju: ['Renju', '连珠'],
  standard: ['Gomoku, exactly five', '五子棋（恰好五连）'],
  connect: ['In a row', '连子棋'],
  gomokuLine: ['Five in a row win', '五子连线获胜'],
  connect6Line: ['Six in a row win, two stones a turn', '六子连线获胜，每手两子'],
  connect4Line: ['Four in a row win, stones fall', '四子连线获胜，棋子下落'],
  more: ['More', '更多'],
  rule: ['Rule', '规则'],
  free: ['five or more', '五连或更多'],
  exact: ['exactly five', '恰好五连'],
  renjuRule: ['renju (Black has forbidden moves)', '连珠（黑方有禁手）'],
  size: ['Size', '大小'],
  width: ['Columns', '列'],
  height: ['Rows', '行'],
  blockedCells: ['Blocked cells', '障碍格'],
  blockedHelp: ['Click cells to block them.', '点击格子设为障碍。'],
  randomBoard: ['Random board: 9–12 × 9–12 with one blocked cell', '随机棋盘：9–12 × 9–12，一个障碍格'],
  clearAll: ['Clear', '清除'],
  whoPlays: ['Players', '对局者'],
  preset: ['Quick choice', '快速选择'],
  youBlack: ['You play Black', '你执黑'],
  youWhite: ['You play White', '你执白'],
  twoPeople: ['Two people', '双人'],
  watchEngines: ['Watch engines', '观看引擎对弈'],
  opponent: ['Opponent', '对手'],
  strength: ['Strength', '强度'],
  byLevel: ['Level', '级别'],
  byTime: ['Seconds a move', '每手秒数'],
  byNodes: ['Positions', '局面数'],
  asIs: ['As it is', '默认'],
  name: ['Name', '名字'],
  swapSides: ['Swap the two', '互换'],
  timeControl: ['Time', '时间'],
  noLimit: ['No limit', '不限时'],
  perMove: ['Seconds a move', '每手秒数'],
  perGame: ['Minutes a game', '每局分钟'],
  increment: ['Seconds added a move', '每手加秒'],
  series: ['Series', '系列赛'],
  pace: ['Pace', '节奏'],
  paceOf: ['at least {s} s a turn', '每手至少 {s} 秒'],
  paceNone: ['as fast as they can', '尽快'],
  singleGame: ['One game', '一局'],
  bestOfN: ['Best of {n}', '{n} 局赛'],
  easy: ['Easy', '初级'],
  medium: ['Medium', '中级'],
  hard: ['Hard', '高级'],
  top: ['Strongest', '最强'],
  // Library
  search: ['Player', '棋手'],
  delete: ['Delete', '删除'],
  export: ['Export', '导出'],
  open: ['Open', '打开'],
  noGames: ['No games here yet.', '这里还没有对局。'],
  games: ['{n} games', '{n} 局'],
  games1: ['1 game', '1 局'],
  page: ['Page {n} of {of}', '第 {n} / {of} 页'],
  previous: ['Previous', '上一页'],
  next: ['Next', '下一页'],
  live: ['in play', '进行中'],
  importTitle: ['Load games', '载入棋谱'],
  importHelp: [
    'Choose files, drop them here, or paste a game below. All formats are recognised.',
    '选择文件、拖到此处，或在下面粘贴棋谱。格式自动识别。',
  ],
  paste: ['Paste a game', '粘贴棋谱'],
  read: ['Read', '读取'],
  chooseFiles: ['Choose files', '选择文件'],
  found: ['{n} games found', '找到 {n} 局'],
  found1: ['1 game found', '找到 1 局'],
  foundMore: ['{n} games found; the first {shown} are listed', '找到 {n} 局；列出前 {shown} 局'],
  problem: ['Problem', '问题'],
  format: ['Format', '格式'],
  automatic: ['automatic', '自动'],
  stones: ['{n} stones', '{n} 子'],
  stones1: ['1 stone', '1 子'],
  notOwner: [
    'This browser does not hold this game’s key, so it cannot delete it.',
    '此浏览器没有这局棋的密钥，不能删除。',
  ],
  deleted: ['Deleted.', '已删除。'],
  reallyDelete: ['Really delete?', '确定删除？'],
  // Arena
  contests: ['Matches and tournaments', '比赛'],
  newContest: ['Start a match', '开始比赛'],
  noContests: ['No matches yet. Start one above.', '还没有比赛。在上面开始一场。'],
  gamesCount: ['Games', '局数'],
  formatWord: ['Format', '赛制'],
  match: ['Match', '对抗赛'],
  'round-robin': ['Round robin', '循环赛'],
  gauntlet: ['Gauntlet', '擂台赛'],
  swiss: ['Swiss', '瑞士制'],
  knockout: ['Knockout', '淘汰赛'],
  'best-of-5': ['Best of 5', '五局赛'],
  addPlayer: ['Add a player', '添加棋手'],
  remove: ['Remove', '移除'],
  stop: ['Stop', '停止'],
  running: ['running', '进行中'],
  finished: ['finished', '已结束'],
  halted: ['stopped', '已停止'],
  stopped: ['Stopped; its games stay.', '已停止，对局保留。'],
  standings: ['Standings', '排名'],
  crossTable: ['Cross table', '对阵表'],
  rank: ['Rank', '名次'],
  player: ['Player', '棋手'],
  points: ['Points', '积分'],
  elo: ['Elo', '等级分'],
  wdl: ['Won / drawn / lost', '胜 / 和 / 负'],
  faults: ['Faults', '犯规'],
  ofPlanned: ['{n} of {of} games', '{n} / {of} 局'],
  report: ['Full report', '完整报告'],
  msPerMove: ['Seconds a move', '每手秒数'],
  stopEarly: ['Stop early when decided (SPRT)', '分出高下即停（SPRT）'],
  difference: ['Difference', '差距'],
  los: ['Chance that the first is better', '先者更强的概率'],
  playerCount: ['A contest has 2 to 16 players.', '比赛需要 2 到 16 名棋手。'],
  seed: ['Seed', '随机种子'],
  // Endings
  won: ['{side} won', '{side}胜'],
  wonLine: ['{side} wins with {n} in a row', '{side}{n}连，获胜'],
  blockedAt: ['blocked {cells}', '障碍 {cells}'],
  line: ['line', '连线'],
  full: ['board full', '棋盘已满'],
  resigned: ['resigned', '认输'],
  timeout: ['time', '超时'],
  illegal: ['illegal move', '违规着法'],
  crashed: ['crashed', '崩溃'],
  adjudicated: ['adjudicated', '裁定'],
  forfeit: ['forfeit', '弃权'],
  garbled: ['no answer', '答非所问'],
  stonesWrong: ['stones', '子数不符'],
  'after-end': ['moved after the end', '结束后仍落子'],
  'out-of-turn': ['out of turn', '未轮到却落子'],
  'not-started': ['could not start', '无法启动'],
  tampered: ['changed stones', '改动棋子'],
  // Keys
  keyArrows: ['Arrows', '方向键'],
  keyArrowsDo: ['move on the board; step through a finished game', '在棋盘上移动；在结束的对局中前进后退'],
  keyEnter: ['Enter', '回车'],
  keyEnterDo: ['place a stone', '落子'],
  keyB: ['b'.toUpperCase(), 'B'],
  keyBDo: ['go to the board', '转到棋盘'],
  keyStepDo: ['back and forward', '后退与前进'],
  keyEndsDo: ['first and last move', '开头与最后'],
  keyNDo: ['new game', '新对局'],
  keyTDo: ['threats', '威胁'],
  keyXDo: ['leave the line you try out', '结束试下'],
  keyHelpDo: ['this list', '本列表'],
};

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

/** What ended a game, in a word; nothing where a record does not tell. @param {string} ending @param {string} [why] */
export function endingWords(ending, why) {
  if (ending !== 'adjudicated') return t(ending === 'stones' ? 'stonesWrong' : ending);
  return why === 'untold' ? '' : t(why === 'forfeit' ? why : ending);
}

/** Who won and how. @param {string} outcome @param {string} ending @param {string} [why] */
export const outcomeWords = (outcome, ending, why) =>
  outcome === 'draw'
    ? t('draw')
    : [t('won', { side: t(outcome) }), endingWords(ending, why)].filter(Boolean).join(' · ');

const NUMBERS = { en: ['three', 'four', 'five', 'six', 'seven'], zh: ['三', '四', '五', '六', '七'] };
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
  strong: ['Strong', '强手'],
  solver: ['Solver', '求解器'],
  uct: ['UCT', 'UCT'],
  greedy: ['Greedy', '贪心'],
  random: ['Random', '随机'],
  'classic-connect6': ['Classic Connect6', '经典六子棋'],
  'classic-gomoku': ['Classic Gomoku', '经典五子棋'],
  'classic-uct': ['Classic UCT', '经典 UCT'],
  'classic-python': ['Classic Python', '经典 Python'],
};

/** What limits an engine, as far as people know the words. @param {string} option */
function optionWords(option) {
  const [key, value = ''] = option.split('=');
  return key === 'level'
    ? t('level', { n: value })
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

/** @param {{ name?: string, player?: string }} side */
export const sideWords = side =>
  side.name && side.name !== side.player && side.name !== 'human'
    ? side.name
    : playerWords(side.player ?? side.name ?? '');

/** How a game of a list ended. @param {import('./types.js').Listed} game */
export function resultWords({ outcome, ending, live }) {
  if (outcome === 'none') return t(live ? 'live' : 'unfinished');
  // Nobody adjudicates a game at this board: such a result comes from a file, and a list does not know its reason.
  return outcomeWords(outcome, ending, 'untold');
}
