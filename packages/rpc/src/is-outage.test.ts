import { ApiError } from '@drawbridge/contracts';
import { isCutOff, isOutage } from './errors.js';

const withCode = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code });

const fromPrisma = (originalCode: string) =>
  Object.assign(withCode('P2039'), { meta: { driverAdapterError: { cause: { originalCode } } } });

describe('isOutage', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a host without a route', withCode('EHOSTUNREACH')],
    ['a network that is down', withCode('ENETDOWN')],
    ['a server that became a replica', withCode('25006')],
    ['a database that shuts down', withCode('57P01')],
    ['a database out of connections', withCode('53300')],
    ['a statement past its time limit', withCode('57014')],
    ['a statement past its time limit under Prisma', fromPrisma('57014')],
    ['a lock past its time limit', withCode('55P03')],
    ['a database that says nothing at all', new Error('Query read timeout')],
    ['Prisma without a database', withCode('P1001')],
    ['a service that is away', new ApiError('UNAVAILABLE', 'members does not answer')],
    ['a pg connection that ended', new Error('Connection terminated unexpectedly')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a pg connection that had ended', new Error('Client has encountered a connection error and is not queryable')],
    ['a connection that ended under Prisma', fromPrisma('57P01')],
    ['what its driver says of it', new Error('terminated', { cause: { kind: 'postgres', originalCode: '57P01' } })],
    ['what its driver calls it', new Error('closed', { cause: { kind: 'ConnectionClosed' } })],
    ['an outage as the cause', withCode('P2010', withCode('ECONNRESET'))],
  ])('is %s', (_, error) => expect(isOutage(error)).toBe(true));

  it.each([
    ['a broken rule', withCode('23505')],
    ['a deadlock', withCode('40P01')],
    ['a deadlock under Prisma', fromPrisma('40P01')],
    ['a refusal', new ApiError('NOT_FOUND', 'Workspace w_1 not found')],
    ['a programming error', new TypeError('x is undefined')],
    ['what is no error', 'ECONNREFUSED'],
  ])('is not %s', (_, error) => expect(isOutage(error)).toBe(false));
});

describe('isCutOff', () => {
  it.each([
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['a database that shuts down', fromPrisma('57P01')],
    ['an answer that did not come in time', new Error('Query read timeout')],
    ['a reset connection as the cause', withCode('P2010', withCode('ECONNRESET'))],
    ['what a driver calls it', new Error('closed', { cause: { kind: 'ConnectionClosed' } })],
  ])('is %s', (_, error) => expect(isCutOff(error)).toBe(true));

  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
    ['a connection that could not be opened in time', new Error('Connection terminated due to connection timeout')],
    ['a statement that the database canceled', fromPrisma('57014')],
    ['a database that takes no connections', withCode('57P03')],
    ['a broken rule', withCode('23505')],
  ])('is not %s', (_, error) => expect(isCutOff(error)).toBe(false));
});
