/** Invisible characters, and every blank except a space. Line breaks and tabs are visible by their effect. */
const UNSEEN = /(?![\r\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff0-\uffff]/gu;

/** Zero-width joiners and variation selectors. Emoji and words of some scripts need them. Between other characters they are only used to deceive. */
const JOINER = /[\u200c\u200d]/;
const SELECTOR = /[\ufe0e\ufe0f]/;
const BEFORE_JOINER = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{Script=Arabic}\p{M}]$/u;
const AFTER_JOINER =
  /^[\p{Extended_Pictographic}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Sinhala}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Gujarati}]/u;
const BEFORE_SELECTOR = /[\p{Extended_Pictographic}\d#*]$/u;

/** Scripts that contain letters which look like Latin letters. */
const ALIKE = String.raw`\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}`;
const ALIKE_LETTERS = new RegExp(`[${ALIKE}]`, 'gu');
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** Letters that look like Latin letters. Used for a label of a host that consists entirely of such letters. */
const WHOLLY_ALIKE =
  /^[\d\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0457\u0458\u0455\u04bb\u0501\u051b\u051d\u04cf\u0475\u044c\u0433\u043a\u043c\u043d\u0442\u0432\u03bf\u03b1\u03c1\u03bd\u03b9\u03ba\u03c5\u03c9\u0585\u0578\u057d\u0570\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]+$/u;

/** Matches a host, an address or a path: words that are joined by dots, colons, slashes or `@`, or by characters that look like these. */
const JOINED =
  /[\p{L}\p{M}\p{N}\u24b6-\u24ff\u{1f100}-\u{1f189}\-_.:/@\uff0e\uff61\u3002\u2024\uff0f\u2044\u2215\uff20\uff1a\u2236]+/gu;
const MARK_BETWEEN = /[.:/@\uff0e\uff61\u3002\u2024\uff0f\u2044\u2215\uff20\uff1a\u2236][^.:/@]/u;
const FALSE_MARK =
  /(?<=[\p{Script=Latin}\p{Nd}⟩])[\uff0e\uff61\u3002\u2024\uff0f\u2044\u2215\uff20\uff1a\u2236](?=[\p{Script=Latin}\p{Nd}⟨])/gu;
/** Letters and digits that become ASCII when a host is normalized, and Latin letters that look like ASCII. */
const STYLED =
  /[\uff10-\uff5a\u2460-\u24ff\u2070-\u209c\u2100-\u214f\u02b0-\u02b8\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f189}\u0131\u0237\u017f\u0250-\u02af]/gu;

/**
 * Returns a string with its deceptive characters written as code points, such as `⟨U+202E⟩`: invisible characters, characters that reorder their
 * neighbors, and letters that look like letters of another script.
 */
export function makeVisible(text: string): string {
  return isPlain(text) ? text : withAddresses(withWords(withUnseen(text)));
}

/**
 * Returns a name, such as a key or a host, with its deceptive characters written as code points, like `makeVisible`. In a name, a whole word of
 * another script can also imitate a Latin word.
 */
export function makeNameVisible(name: string): string {
  const shown = isPlain(name) ? name : ofAddress(withWords(withUnseen(name)));
  return shown.replace(BLANKS_OF_NAME, named);
}

/** A space is invisible at the start or end of a name, and after another space. */
const BLANKS_OF_NAME = /^ |(?<= ) | $|[\t\r\n]/g;

/** Returns whether the string is ASCII and therefore contains no deceptive characters. Most strings are. */
const isPlain = (text: string): boolean => !/[^\t\n\r\x20-\x7e]/.test(text);

function withUnseen(text: string): string {
  return text.replace(UNSEEN, (mark, at: number) => (belongs(text, at, mark) ? mark : named(mark)));
}

function belongs(text: string, at: number, mark: string): boolean {
  const before = text.slice(Math.max(0, at - 2), at);
  if (SELECTOR.test(mark)) return BEFORE_SELECTOR.test(before);
  return JOINER.test(mark) && BEFORE_JOINER.test(before) && AFTER_JOINER.test(text.slice(at + 1, at + 3));
}

function withWords(text: string): string {
  return text.replace(WORD, (word) => (LATIN.test(word) ? word.replace(ALIKE_LETTERS, named) : word));
}

function withAddresses(text: string): string {
  // First matches whole runs of joined words and then tests each run for a separator, which takes linear time. A single pattern that required a
  // separator would start again at every letter.
  return text.replace(JOINED, (run) => (MARK_BETWEEN.test(run) ? ofAddress(run) : run));
}

function ofAddress(address: string): string {
  const words = address.replace(WORD, (word) => (WHOLLY_ALIKE.test(word) ? word.replace(ALIKE_LETTERS, named) : word));
  return words.replace(STYLED, named).replace(FALSE_MARK, named);
}

function named(mark: string): string {
  return `⟨U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
