import { describeError } from './errors.js';
import { type Logger } from './log.js';

/**
 * For what nobody caught. A rejection undoes one promise, of one call or one round of work: it is logged, and the process
 * serves on. An exception out of a callback leaves who knows what half done: it is logged, and the process drains and ends
 * with 1, for its supervisor to start anew.
 */
export function handleUncaughtErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => {
    log.error({ error: describeError(error) }, 'nobody handled a rejection');
  });
  process.on('uncaughtException', (error) => {
    log.fatal({ error: describeError(error) }, 'nobody caught an exception');
    process.exitCode = 1;
    if (!process.emit('SIGTERM')) process.exit();
  });
}
