import { makeNameVisible, makeVisible } from './make-visible.js';

it.each(['a.', '\u0430', '\u202e', 'a\u0430', '\u3002a', '@\u0131/', '\u200d'])(
  'costs time in proportion to a text of %j',
  (piece) => {
    const timeOf = (length: number): number => {
      const text = piece.repeat(length / piece.length);
      const once = (): number => {
        const before = process.cpuUsage();
        makeVisible(text);
        makeNameVisible(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      };
      return Math.max(1, Math.min(...Array.from({ length: 3 }, once)));
    };
    // The input is 16 times as long. Linear work takes 16 times as long for it, quadratic work 256 times. The test measures processor time, because
    // it excludes waits on a busy machine. Other processes still slow down single attempts.
    timeOf(8_000);
    const ratios = Array.from({ length: 5 }, () => timeOf(64_000) / timeOf(4_000));
    expect(Math.min(...ratios)).toBeLessThan(100);
  },
);
