import type Docker from 'dockerode';
import type { Containers } from './containers.js';
import { describeWithDocker, type Engine, IMAGE, request, startEngine, until } from './testing/engine.js';

const SERVER = `
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('content-length', '7')
        self.end_headers()
        self.wfile.write(b'answer\\n')
http.server.ThreadingHTTPServer(('', 8000), Handler).serve_forever()
`;
const NETWORK = 'outside';
const LISTEN = `
import socket, sys, time
own = socket.gethostbyname(socket.gethostname())
print(own, flush=True)
server = socket.create_server(('', 9000))
server.settimeout(8)
try: server.accept(); print('REACHED')
except TimeoutError: pass
`;

describeWithDocker('code with network access', () => {
  let engine: Engine;
  let containers: Containers;
  const servers: { container: Docker.Container; address: string }[] = [];

  beforeAll(async () => {
    engine = await startEngine();
    await engine.docker.createNetwork({ Name: NETWORK, Internal: true });
    for (const name of ['allowed', 'refused']) servers.push(await startServer(engine.docker, name));
    // EGRESS_ALLOW contains the subnet of the runs, to simulate a mistake of the operator.
    const egressEnv = { EGRESS_ALLOW: `${servers[0]?.address},198.18.0.0/15` };
    containers = engine.containers('network', { egressNetwork: NETWORK, egressEnv });
  });

  afterAll(() => engine?.stop());

  const run = (part: Parameters<typeof request>[0]) =>
    containers.run(request({ network: true, timeoutSeconds: 15, ...part }));

  it.each([
    ['shell', 'curl -s "$(jq -r .url)"'],
    ['python', 'import requests\nprint(requests.get(input["url"]).text, end="")'],
    ['javascript', 'process.stdout.write(await (await fetch(input.url)).text())'],
  ] as const)('reaches an allowed host from %s', async (language, code) => {
    const url = `http://${servers[0]?.address}:8000/`;
    expect(await run({ language, code, input: { url } })).toMatchObject({ stdout: 'answer\n', exitCode: 0 });
  });

  it('is refused what packages/egress refuses', async () => {
    const code = 'for url in $(jq -r .urls[]); do curl -s -m 5 $url; done';
    const hosts = [servers[1]?.address, '127.0.0.1', '169.254.169.254', 'localhost'];
    const { stdout } = await run({ code, input: { urls: hosts.map((host) => `http://${host}:8000/`) } });
    expect(stdout.match(/EGRESS_DENIED/g)).toHaveLength(hosts.length);
    expect(stdout).not.toContain('answer');
  });

  it('has no other way out, by address, name or the bridge', async () => {
    const address = servers[0]?.address;
    const { stdout } = await run({
      code: `
curl -s -m 3 --noproxy '*' http://${address}:8000/ && echo REACHED
timeout 3 getent hosts example.com && echo REACHED
own=$(hostname -i); for end in 0 1 2 3 4 5 6 7; do
  at="\${own%.*}.$(( (\${own##*.} & ~7) + end ))"
  for port in 22 2375 8080 9464 50051; do timeout 0.3 bash -c "exec 3<>/dev/tcp/$at/$port" 2>/dev/null && echo "REACHED $at $port"; done
done
echo done`,
    });
    expect(stdout).toBe('done\n');
  });

  it('reaches no other run, directly or through the proxy', async () => {
    let tell = (_address: string): void => undefined;
    const told = new Promise<string>((resolve) => (tell = resolve));
    const listening = run({ language: 'python', code: LISTEN, onOutput: ({ text }) => tell(text.trim()) });
    const address = await told;
    const code = `curl -s -m 3 http://${address}:9000/; curl -s -m 3 --noproxy '*' http://${address}:9000/`;
    expect((await run({ code })).stdout).toContain('EGRESS_DENIED');
    expect((await listening).stdout).toBe(`${address}\n`);
  });

  it('does not start without its proxy', async () => {
    const broken = engine.containers('broken', { egressNetwork: NETWORK, egressEnv: { EGRESS_ALLOW: '???' } });
    await expect(broken.run(request({ network: true, code: 'echo started' }))).rejects.toMatchObject({
      code: 'NETWORK_UNAVAILABLE',
    });
    expect((await broken.run(request({ code: 'echo started' }))).stdout).toBe('started\n');
  });

  it('gets a new proxy after the proxy was killed', async () => {
    const filters = { label: ['drawbridge.sandbox.role=egress', 'drawbridge.sandbox.instance=network'] };
    const [proxy] = await engine.docker.listContainers({ filters });
    await engine.docker.getContainer(proxy?.Id ?? '').kill();
    const code = `curl -s http://${servers[0]?.address}:8000/`;
    expect((await run({ code })).stdout).toBe('answer\n');
  });

  it('leaves no network and no proxy behind', async () => {
    const left = async () =>
      (await engine.docker.listNetworks()).map(({ Name }) => Name).filter((name) => /^drawbridge/.test(name));
    await until(async () => (await left()).length === 0);
    await containers.close();
    expect((await engine.names()).sort()).toEqual(['allowed', 'refused']);
  });
});

async function startServer(docker: Docker, name: string): Promise<{ container: Docker.Container; address: string }> {
  const command = { name, Image: IMAGE, Cmd: ['python3', '-c', SERVER], HostConfig: { NetworkMode: NETWORK } };
  const container = await docker.createContainer(command);
  await container.start();
  const { NetworkSettings } = await container.inspect();
  return { container, address: NetworkSettings.Networks[NETWORK]?.IPAddress ?? '' };
}
