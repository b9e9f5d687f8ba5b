import { requireFlagsPassedOn } from './config-flags.js';

const npm = (config: NodeJS.ProcessEnv) => ({ npm_lifecycle_event: 'start', npm_config_cache: '/x', ...config });

describe('flags that npm does not pass on', () => {
  it.each([
    ['npm start --port 9000', ['9000'], { npm_config_port: 'true' }, '--port 9000'],
    ['npm start --port=9000', [], { npm_config_port: '9000' }, '--port 9000'],
    [
      'npm start --data-dir /x --host=::',
      ['/x'],
      { npm_config_data_dir: 'true', npm_config_host: '::' },
      '--host :: --data-dir /x',
    ],
  ])('cause an error with the correct command: %s', (_typed, args, config, flags) => {
    expect(() => requireFlagsPassedOn(args, npm(config))).toThrow(`Run: npm start -- ${flags}`);
  });

  it('are empty if they were passed on or npm did not start the process', () => {
    requireFlagsPassedOn(['--port', '9000'], npm({}));
    requireFlagsPassedOn([], { npm_config_port: '9000' });
  });
});
