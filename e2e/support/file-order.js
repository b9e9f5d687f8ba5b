// By itself jest begins with the files that took longest last time, of which a fresh clone knows nothing.
import { readFileSync, statSync } from 'node:fs';

const OWN_PRODUCT = /from '\.\/support\/(own-product|runs|refreshed|connect|emailed-links|sign-in-elsewhere)\.js'/;
const PROVIDER = /from '\.\/support\/provider\.js'/;
const shape = process.env.SHAPE || 'local';

/** What jest asks for the order of the test files. */
export default class FileOrder {
  /**
   * A file with a product of its own takes minutes: begun late, it runs on while the other processor has nothing left to do. Where
   * files share a product, those that take turns at its provider stand apart, so that none waits for another.
   */
  sort(tests) {
    const known = tests.map((test) => ({
      test,
      text: readFileSync(test.path, 'utf8'),
      size: statSync(test.path).size,
    }));
    const hasOwn = ({ text }) => OWN_PRODUCT.test(text);
    const sorted = known.sort((a, b) => hasOwn(b) - hasOwn(a) || b.size - a.size);
    if (shape === 'local') return sorted.map(({ test }) => test);
    const [taking, others] = [true, false].map((turns) => sorted.filter(({ text }) => PROVIDER.test(text) === turns));
    const apart = others.length / taking.length;
    const placed = [
      ...others.map(({ test }, index) => ({ test, place: index })),
      ...taking.map(({ test }, index) => ({ test, place: (index + 0.5) * apart })),
    ];
    return placed.sort((a, b) => a.place - b.place).map(({ test }) => test);
  }

  /** It keeps no times. */
  cacheResults() {}
}
