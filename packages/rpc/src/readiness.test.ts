import { GrpcNetwork } from './grpc-client.js';
import { LocalNetwork } from './local.js';
import { log, members } from './testing/members.js';
import { startMembers, tokens } from './testing/networks.js';

const never = (): Promise<void> => new Promise(() => undefined);
const late = async (): Promise<string[]> => ['events are late'];
const away = (): Promise<void> => Promise.reject(new Error('away'));

describe('readiness in one process', () => {
  const networkOf = (ready: () => Promise<void>): LocalNetwork => {
    const network = new LocalNetwork();
    network.register({ ...members, ready }, log);
    return network;
  };
  afterEach(() => import.meta.jest.useRealTimers());

  it('is that of the service', async () => {
    await networkOf(async () => undefined)
      .for('gateway')
      .ready('members');
    await expect(networkOf(away).for('gateway').ready('members')).rejects.toThrow('away');
  });

  it('includes the reasons of degradation', async () => {
    const network = new LocalNetwork();
    network.register({ ...members, degraded: late }, log);
    expect(await network.for('gateway').ready('members')).toEqual(['events are late']);
  });

  it('takes at most 2 s', async () => {
    import.meta.jest.useFakeTimers();
    const asked = networkOf(never).for('gateway').ready('members');
    import.meta.jest.advanceTimersByTime(2_000);
    await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('readiness over gRPC', () => {
  it('is that of the service, requested once per second for all callers', async () => {
    let asked = 0;
    const server = await startMembers(async () => {
      asked++;
      return away();
    });
    const network = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, tokens);
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => network.ready('members')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'rejected'));
    expect(asked).toBe(1);
    network.close();
    await server.drain(100);
  });

  it('includes the reasons of degradation', async () => {
    const server = await startMembers(undefined, { degraded: late });
    const network = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, tokens);
    expect(await network.ready('members')).toEqual(['events are late']);
    network.close();
    await server.drain(100);
  });
});
