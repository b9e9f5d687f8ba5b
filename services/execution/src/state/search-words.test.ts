import { soughtWords, storedWords, toQuery } from './search-words.js';

const finds = (text: string, query: string): boolean => {
  const stored = new Set(storedWords(text));
  const sought = soughtWords(query);
  return sought.length > 0 && sought.every((word) => stored.has(word));
};

it.each([
  ['See https://docs.example.com/guide/set-up?page=intro#first', 'set-up guide'],
  ['See https://docs.example.com/guide/set-up?page=intro#first', 'intro'],
  ['See https://docs.example.com/guide/set-up?page=intro#first', 'docs.example.com'],
  ['the file /srv/app/release_notes.md', 'notes'],
  ['C:\\Users\\ann\\Report-2026.pdf', 'report 2026'],
  ['write to ann.smith+x@mail.example', 'smith'],
  ['write to ann.smith+x@mail.example', 'ann.smith+x@mail.example'],
  ['Café Zürich, señor Ångström', 'cafe zurich senor angstrom'],
  ['cafe', 'CAFÉ'],
  ['ﬁnance １２３', 'finance 123'],
  ['東京都の天気は晴れ', '天気'],
  ['東京都の天気は晴れ', '東京都'],
  ['東京都の天気は晴れ', '京'],
  ['서울에서 만나요', '서울'],
  ['ไปกรุงเทพ', 'กรุงเทพ'],
  ['<script>alert</script> hidden words', 'hidden'],
  ['हिन्दी भाषा', 'हिन्दी'],
])('%j is found by %j', (text, query) => expect(finds(text, query)).toBe(true));

it.each([
  ['release notes', 'note'],
  ['東京都', '都東'],
  ['a word', '...'],
  ['a word', ''],
])('%j is not found by %j', (text, query) => expect(finds(text, query)).toBe(false));

it('makes a query of words alone', () => {
  expect(toQuery(soughtWords("it's & (a|b) !c:*\\'"))).toBe("'it' & 's' & 'a' & 'b' & 'c'");
});

it('bounds what a text may store', () => {
  const many = Array.from({ length: 300_000 }, (_, at) => `word${at}`).join(' ');
  expect(Buffer.byteLength(storedWords(many).join(''))).toBeLessThan(600 * 1024);
  expect(storedWords('x'.repeat(10_000))).toEqual(['x'.repeat(255)]);
});
