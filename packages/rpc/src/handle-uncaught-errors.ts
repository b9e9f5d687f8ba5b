import { describeError } from './errors.js';
import { type Logger } from './log.js';

/**
 * Handles uncaught errors. A rejection affects one promise, of one call or one round of work: it is logged, and the process continues. An exception
 * from a callback may leave shared state inconsistent: it is logged, and the process drains and exits with 1, so that its supervisor restarts it.
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
