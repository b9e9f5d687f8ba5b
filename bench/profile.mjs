// `--profile DIR` preloads this module into the product. It writes a CPU profile for the browser's developer tools at exit. Node.js does not allow
// --cpu-prof in NODE_OPTIONS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { join } from 'node:path';

const folder = process.env.PROFILE_DIR;
mkdirSync(folder, { recursive: true });

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.setSamplingInterval', { interval: 200 });
session.post('Profiler.start');
process.on('exit', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    writeFileSync(join(folder, `${process.pid}.cpuprofile`), JSON.stringify(profile));
  });
});
