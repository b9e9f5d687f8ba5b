import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { contentHash } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { ROOT, run, step } from './step.mjs';

const NPM = ['package.json', 'package-lock.json'];

/**
 * Returns a download for tests: npm packages that `folder` pins, installed in a folder of .cache with the same name. `more` lists additional files
 * that pin versions, and `install` installs their content. The download is not part of the product.
 */
export function pinned({ folder, title, more = [], install = async () => {} }) {
  const cache = join(ROOT, '.cache', basename(folder));
  const stamp = join(cache, 'fetched');
  const wanted = () => contentHash([...NPM, ...more].map((file) => join(folder, file)));
  const isFetched = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted();
  return {
    cache,
    isFetched,
    /** Downloads once for each version of the files. Throws an error with a message for the operator. */
    async fetch() {
      if (isFetched()) return;
      await withLock(`${cache}.lock`, async () => {
        if (isFetched()) return;
        rmSync(cache, { recursive: true, force: true });
        mkdirSync(cache, { recursive: true });
        for (const file of NPM) copyFileSync(join(ROOT, folder, file), join(cache, file));
        await step(title, async () => {
          await run('npm', ['ci', '--prefix', cache, '--ignore-scripts', '--no-audit', '--no-fund']);
          await install();
        });
        writeFileSync(stamp, wanted());
      });
    },
  };
}
