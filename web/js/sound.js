// The sound of a stone, made on the spot: a short knock of filtered noise. No file.
import { recall, remember } from './prefs.js';

/** @type {AudioContext | null} */
let audio = null;
let muted = recall('muted', false);

export const isMuted = () => muted;
export function toggleSound() {
  muted = !muted;
  remember('muted', muted);
}

/** @param {number} pitch */
function knock(pitch) {
  if (!audio) return;
  const length = Math.floor(audio.sampleRate * 0.06);
  const buffer = audio.createBuffer(1, length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let n = 0; n < length; n++) data[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 6;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  filter.Q.value = 2.5;
  gain.gain.value = 0.7;
  source.buffer = buffer;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

/** @param {'stone' | 'end'} kind */
export function play(kind) {
  // Browsers allow sound only after the page was touched.
  if (muted || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  knock(kind === 'end' ? 700 : 1500);
  if (kind === 'end') setTimeout(() => knock(500), 140);
}
