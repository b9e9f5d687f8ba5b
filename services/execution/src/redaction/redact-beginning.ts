import { type TextRedactor } from './redactor.js';

/** The mark is longer than the shortest secret: so much longer may a redacted text be, and a bit more. */
const LONGEST_GROWTH = 3;

/**
 * The redacted beginning of a text of which no more than `max` characters are shown, at a price that does not grow with the
 * rest. What follows a cut is dropped: half of a secret may stand there, which nothing recognises.
 */
export function redactBeginning(text: string, max: number, redact: TextRedactor): { shown: string; isCut: boolean } {
  const margin = LONGEST_GROWTH * redact.reach;
  if (text.length <= max + 2 * margin) return { shown: redact(text), isCut: false };
  const shown = redact(text.slice(0, max + 2 * margin));
  return { shown: shown.slice(0, shown.length - margin), isCut: true };
}
