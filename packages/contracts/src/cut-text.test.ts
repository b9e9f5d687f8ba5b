import { cutBytes, cutText } from './cut-text.js';

const FACE = '😀';

describe('cutText', () => {
  it.each([
    ['what is short enough stays', 'abc', 3, 'abc'],
    ['what is longer ends after that many', 'abcd', 3, 'abc'],
    ['a pair of surrogates is one character', FACE.repeat(5), 3, FACE.repeat(3)],
    ['no pair is halved where a cut by units would', `a${FACE.repeat(150)}`, 200, `a${FACE.repeat(150)}`],
    ['a lone surrogate is replaced', 'a\ud83d', 10, 'a\ufffd'],
    ['a lone surrogate before the cut is replaced', 'a\udc00bc', 3, 'a\ufffdb'],
    ['nothing is left of nothing', '', 3, ''],
    ['nothing is left at 0', 'abc', 0, ''],
  ])('%s', (_, text, max, expected) => {
    expect(cutText(text, max)).toBe(expected);
    expect(() => encodeURI(cutText(text, max))).not.toThrow();
  });
});

describe('cutBytes', () => {
  it.each([
    ['what is short enough stays', 'abc', 3, 'abc'],
    ['bytes are counted, not characters', '漢字漢字', 7, '漢字'],
    ['no pair is halved', `a${FACE}`, 4, 'a'],
    ['a lone surrogate takes the three bytes of its replacement', '\ud83d\ud83d', 5, '\ufffd'],
    ['a pair at the very end of the room stays', `ab${FACE}`, 6, `ab${FACE}`],
  ])('%s', (_, text, max, expected) => {
    expect(cutBytes(text, max)).toBe(expected);
  });
});
