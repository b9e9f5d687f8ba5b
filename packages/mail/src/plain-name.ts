import { cutText, makeVisible } from '@drawbridge/contracts';

const MAX_CHARACTERS = 80;
/**
 * Number of characters that are read in addition to those that remain. The limit is needed because some patterns below scan ahead from each letter.
 */
const READ_AHEAD = 220;
const SCHEME = /\b[a-z][a-z\d+.-]*:\/+|\b(?:mailto|tel|sms|javascript|data):/gi;
/** A top-level domain has at least two letters, so `B.V.` stays unchanged. */
const DOT = /(?<=[\p{L}\p{M}\p{N}⟩-])\.(?=[\p{L}\p{N}⟨][\p{L}\p{M}\p{N}-])/gu;
const AT = /(?<=\S)@(?=\S)/g;

/**
 * Returns a name that a user supplied as one line without links, for the subject or a sentence of an email. Email clients turn `evil.example` and
 * addresses into links, so that an invitation could contain any link. `evil[.]example` does not become a link.
 */
export function plainName(name: string, maxCharacters = MAX_CHARACTERS): string {
  const line = cutText(name, maxCharacters + READ_AHEAD)
    .replace(/[\p{Cc}\p{Cf}\p{Z}\s]+/gu, ' ')
    .trim();
  const text = makeVisible(line).replace(SCHEME, '').replace(DOT, '[.]').replace(AT, '[at]');
  const cut = cutText(text, maxCharacters);
  return cut === text ? text : `${cut.trimEnd()}…`;
}
