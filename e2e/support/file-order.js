// By default, jest starts with the slowest files of the last run. A fresh clone does not have these times.
import { readFileSync, statSync } from 'node:fs';

/** The modules of support/ that start a product. */
const STARTING = [
  ...['account-product', 'connect', 'emailed-codes', 'emailed-links', 'notified-triggers'],
  ...[
    'notified-webhooks',
    'own-product',
    'polled-product',
    'product-with-fakes',
    'refreshed',
    'runs',
    'sign-in-elsewhere',
  ],
];
const OWN_PRODUCT = new RegExp(`from '\\./support/(${STARTING.join('|')})\\.js'`);
/** Files that share a product and take half a minute or more. */
const SLOW = /\/(bounds|code|code-live|fuzz|idempotency|mcp-isolation|sdk-python|tenancy|tenancy-matrix)\.test\.ts$/;
const shape = process.env.SHAPE || 'local';
const alone = process.env.ALONE;
/** Matches the files that lock providers of a product which several workers share. */
const LOCKING = alone ? /from '\.\/support\/(connect|provider)\.js'/ : /from '\.\/support\/provider\.js'/;

/** The test sequencer that jest loads. */
export default class FileOrder {
  /**
   * Starts files that take minutes first, such as those with their own product: if one started last, the other processor would be idle at the end.
   * If files share a product, the files that lock its providers are distributed, so that they do not wait for each other.
   */
  sort(tests) {
    const known = tests.map((test) => ({
      test,
      text: readFileSync(test.path, 'utf8'),
      size: statSync(test.path).size,
    }));
    const isLong = ({ test, text }) => SLOW.test(test.path) || OWN_PRODUCT.test(text);
    const sorted = known.sort((a, b) => isLong(b) - isLong(a) || b.size - a.size);
    if (shape === 'local' && !alone) return sorted.map(({ test }) => test);
    const [taking, others] = [true, false].map((turns) => sorted.filter(({ text }) => LOCKING.test(text) === turns));
    const apart = others.length / taking.length;
    const placed = [
      ...others.map(({ test }, index) => ({ test, place: index })),
      ...taking.map(({ test }, index) => ({ test, place: (index + 0.5) * apart })),
    ];
    return placed.sort((a, b) => a.place - b.place).map(({ test }) => test);
  }

  /** Stores no times, because the order does not depend on them. */
  cacheResults() {}
}
