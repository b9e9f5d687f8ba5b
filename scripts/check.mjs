// Runs `pnpm check`: the checks that must pass before a push. It takes a minute or two.
import { buildAll, checkedIn, checks, runChecks, unit } from './checks.mjs';

const before = checkedIn();
const built = await runChecks([buildAll]);
const result = built.failed ? built : await runChecks([unit, ...checks(before)]);
process.exitCode = result.failed ? 1 : 0;
