// Loaded into a product by NODE_OPTIONS. On SIGUSR2 it writes to EXECUTED_FILES, as JSON, the files of this workspace in which a function ran since
// the last signal. V8 counts calls, so code that ran earlier, such as at the start, is not included.
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const OURS = /^file:\/\/.*\/((?:packages|services)\/[^/]+)\/dist\/(.+)\.js$/;
/** Generated from proto/ and from the controllers. */
const GENERATED = /^packages\/proto\/|\/gen\//;

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    const executed = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0].count > 0));
    const files = executed.flatMap(({ url }) => {
      const [, folder, path] = OURS.exec(url) ?? [];
      return folder ? [`${folder}/src/${path}`] : [];
    });
    const file = process.env.EXECUTED_FILES;
    writeFileSync(`${file}.new`, JSON.stringify(files.filter((name) => !GENERATED.test(name))));
    renameSync(`${file}.new`, file); // the rename is atomic, so a reader never sees a partial file
  });
});
