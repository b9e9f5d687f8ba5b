/** Scripts without spaces between words, in which any two neighbours are looked for. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
/** A long run is read in parts of bounded length. */
const TOKENS = new RegExp(
  `(?<unspaced>${UNSPACED.source}{1,1000})|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
const DIACRITICS = /[\u0300-\u036f]/g;
/** PostgreSQL takes lexemes of 2 kB, and 1 MB of them in a vector. */
const MAX_WORD = 255;
const MAX_BYTES = 512 * 1024;

/**
 * The words of a text as they are stored: without accents and case, split at punctuation, so that the parts of URLs, paths and email
 * addresses are words. Of scripts without spaces each character and each pair of neighbours is one.
 */
export function storedWords(text: string): string[] {
  return wordsOf(text, (characters) => [...characters, ...pairsOf(characters)]);
}

/** The words that a stored text must have: of scripts without spaces the pairs, or a character that stands alone. */
export function soughtWords(text: string): string[] {
  return wordsOf(text, (characters) => (characters.length === 1 ? characters : pairsOf(characters)));
}

/** A tsquery that all of the words match. They hold neither quotes nor operators. */
export function toQuery(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(' & ');
}

function wordsOf(text: string, ofUnspaced: (characters: string[]) => string[]): string[] {
  const plain = text.normalize('NFKD').replace(DIACRITICS, '').normalize('NFC').toLowerCase();
  const words = new Set<string>();
  let bytes = 0;
  for (const { 0: token, groups } of plain.matchAll(TOKENS)) {
    const found = groups?.['unspaced'] === undefined ? [token.slice(0, MAX_WORD)] : ofUnspaced([...token]);
    for (const word of found) {
      if (words.has(word)) continue;
      words.add(word);
      bytes += Buffer.byteLength(word);
    }
    if (bytes > MAX_BYTES) break;
  }
  return [...words];
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, at) => characters[at]! + character);
}
