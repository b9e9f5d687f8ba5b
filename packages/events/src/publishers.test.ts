import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topicOf } from './bus.js';
import { inWords } from './outbox-row.js';
import { PUBLISHERS } from './publishers.js';

it('is shown in docs/events.md: every event, by topic and type', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/events.md'), 'utf8');
  const rows = page.matchAll(/^\| (\S+) +\| `([\w.]+)` +\| `\w+\.v1\.\w+` /gm);
  const shown = [...rows].map(([, topic, type]) => [type, topic]);
  // The table has one row for each published event.
  const { auditRecorded: _each, ...one } = PUBLISHERS;
  const published = Object.entries(one).map(([name, [service]]) => [inWords(name), `\`${topicOf(service!)}\``]);
  expect(Object.fromEntries(shown)).toEqual({ ...Object.fromEntries(published), [inWords('auditRecorded')]: 'each' });
});
