/** Matches characters of scripts that have no spaces between words. Each pair of adjacent characters is indexed as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}ー]/u;
/** Matches the words of a string. Long words of scripts without spaces are split into parts of at most 1,000 characters. */
const TOKENS = new RegExp(
  `(?<unspaced>${UNSPACED.source}{1,1000})|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);
const DIACRITICS = /[\u0300-\u036f]/g;
/** Maximum length of a word in characters, and of all words in bytes. PostgreSQL limits a lexeme to 2 kB and a tsvector to 1 MB. */
const MAX_WORD = 255;
const MAX_BYTES = 512 * 1024;

/**
 * Returns the words under which an entry is indexed: without accents and case, split at punctuation, so that the parts of URLs, paths and email
 * addresses are words. In scripts without spaces, each character and each pair of adjacent characters is a word.
 */
export function storedWords(text: string): string[] {
  return wordsOf(text, (characters) => [...characters, ...pairsOf(characters)]);
}

/** Returns the words that a matching entry must contain. In scripts without spaces, these are the pairs of characters, or the only character. */
export function soughtWords(text: string): string[] {
  return wordsOf(text, (characters) => (characters.length === 1 ? characters : pairsOf(characters)));
}

/** Returns a PostgreSQL tsquery that requires all of the words. The words need no escaping, because they contain neither quotes nor operators. */
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
