// Who learns in this browser: the progress, which only the engine reads, is kept here and handed to every question.
import { api } from './api.js';
import * as store from './local/store.js';
import { recall, remember } from './prefs.js';
import { toastError } from './toast.js';

/** @import { Progress, Summary, Train, TrainRequests, When } from './types.js' */
/** @typedef {{ id: string, secret: string, name: string }} Membership Under which name a class knows this learner. */

/** The learner's standing, as it was told last. @type {{ summary: Summary | null }} */
export const learner = { summary: null };

/** Storage may be refused; then what was learnt since the page came is still known. @type {Progress | null} */
let last = null;

const two = (/** @type {number} */ n) => String(n).padStart(2, '0');

/** The time of a clock, and the day of whoever looks at it. @param {Date} [now] @returns {When} */
export const when = (now = new Date()) => ({
  ms: now.getTime(),
  day: `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`,
});

/** @returns {Promise<Progress | null>} */
export const progress = () =>
  store.progress().then(
    kept => kept ?? last,
    () => last,
  );

/** @param {Progress} progress */
async function keep(progress) {
  last = progress;
  await store.keepProgress(progress).catch(() => {});
  handIn(progress);
}

/**
 * One change after another, in all windows of this browser.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
const alone = act =>
  /** @type {Promise<T>} */ (navigator.locks ? navigator.locks.request('lianzi learner', act) : act());

/** @typedef {'progress' | 'when'} Known What every question has and nobody has to say. */

/**
 * Asks about training; what changes is kept before it is told.
 * @template {keyof TrainRequests} K
 * @param {K} name
 * @param {Omit<TrainRequests[K][0], Known>} more
 * @returns {Promise<TrainRequests[K][1]>}
 */
export const ask = (name, more) =>
  alone(async () => {
    const asked = /** @type {TrainRequests[K][0]} */ (
      /** @type {unknown} */ ({ progress: await progress(), when: when(), ...more })
    );
    /** @type {TrainRequests[K][1] & { progress?: Progress, summary?: Summary }} */
    const answer = await /** @type {Train} */ (api.train)(name, asked);
    if (answer.progress) await keep(answer.progress);
    if (answer.summary) learner.summary = answer.summary;
    return answer;
  });

/** Questions that need no progress wait for nobody. @type {Train} */
export const inquire = (name, more) => api.train(name, more);

/** @returns {Membership | null} */
export const membership = () => recall('class', null);

/** Joins the class of this server under a name. @param {string} name */
export async function join(name) {
  const { id, secret } = await api.joinClass(name);
  remember('class', { id, secret, name });
  const mine = await progress();
  if (mine) handIn(mine);
}

export const leaveClass = () => remember('class', null);

/** @param {Progress} progress */
function handIn(progress) {
  const member = membership();
  if (member) api.handIn(member.id, member.secret, { progress, when: when() }).catch(toastError);
}
