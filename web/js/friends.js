// Two people on two screens: asking each other, answering, ready-made phrases.
import { h, button } from './dom.js';
import { view, isBetween } from './view.js';
import { send } from './ask.js';
import { openMenu } from './dialog.js';
import { announce, toast } from './toast.js';
import { sideName, t } from './words.js';

/** @import { Asked, State } from './types.js' */

/** Whether one has taken back what one asked for: then nobody has declined it. */
let withdrawn = false;
export const hasWithdrawn = () => withdrawn;

const PHRASES = ['hello', 'luck', 'nice', 'oops', 'hurry', 'thanks'];

/** Does it, or asks the other one for it if two people play. @param {Asked} what */
export function requestOr(what) {
  if (what !== 'draw' && what !== 'analysis' && !isBetween()) return send({ type: what });
  withdrawn = false;
  send({ type: 'offer', what });
  announce(t('youAsk', { what: t(`ask-${what}`) }));
}

/** What one asks the other for, with ways to answer. @param {State} state */
export function offerNotice(state) {
  const { offer } = state;
  if (!offer) return null;
  const what = t(`ask-${offer.what}`);
  const mine = state.you.includes(offer.by);
  const answer = (/** @type {'accept' | 'decline'} */ type, /** @type {string} */ word, kind = '') => {
    const act = () => {
      withdrawn = mine;
      send({ type });
    };
    return button(t(word), act, { class: kind, 'data-key': word });
  };
  return [
    h('span', {}, mine ? t('youAsk', { what }) : t('asksFor', { name: sideName(state, offer.by), what })),
    mine
      ? answer('decline', 'withdraw')
      : state.you.length
        ? [answer('accept', 'accept', 'primary'), answer('decline', 'decline')]
        : null,
  ];
}

/** @param {HTMLElement} at */
export function openPhrases(at) {
  const say = (/** @type {string} */ phrase) => () => {
    send({ type: 'say', phrase });
    toast(`${t('you')}: ${t(`say-${phrase}`)}`);
  };
  openMenu(
    at,
    PHRASES.map(phrase => ({ key: `say-${phrase}`, icon: 'chat', words: t(`say-${phrase}`), act: say(phrase) })),
  );
}

/** Whether two people play here. */
export const playsFriend = () => Boolean(view.state?.between && view.state.you.length);
