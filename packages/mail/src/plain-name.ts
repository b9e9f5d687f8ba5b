import { cutText, makeVisible } from '@drawbridge/contracts';

const MAX_CHARACTERS = 80;
/** The longest part of a name that is read: some patterns below read on from each letter. */
const MAX_READ = 300;
const SCHEME = /\b[a-z][a-z\d+.-]*:\/+|\b(?:mailto|tel|sms|javascript|data):/gi;
/** Domains end in two letters at least: `B.V.` stays. */
const DOT = /(?<=[\p{L}\p{M}\p{N}⟩-])\.(?=[\p{L}\p{N}⟨][\p{L}\p{M}\p{N}-])/gu;
const AT = /(?<=\S)@(?=\S)/g;

/**
 * Returns a name that someone chose as a subject or a sentence of a mail can hold it: one line without links. Mail clients turn `evil.example`
 * and addresses into links, so that a sender of invitations could send any link: `evil[.]example` stays text.
 */
export function plainName(name: string): string {
  const line = cutText(name, MAX_READ)
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, ' ')
    .trim();
  const text = makeVisible(line).replace(SCHEME, '').replace(DOT, '[.]').replace(AT, '[at]');
  const cut = cutText(text, MAX_CHARACTERS);
  return cut === text ? text : `${cut.trimEnd()}…`;
}
