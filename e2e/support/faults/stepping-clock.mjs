// Preloaded into a process of the product. Its clock starts with an offset of CLOCK_STEP_MS. SIGUSR2 moves it one hour ahead, or back to the real
// time.
const HOUR_MS = 3_600_000;
const RealDate = Date;
let stepMs = Number(process.env.CLOCK_STEP_MS ?? 0);
process.on('SIGUSR2', () => (stepMs = stepMs === 0 ? HOUR_MS : 0));

const now = () => RealDate.now() + stepMs;
globalThis.Date = new Proxy(RealDate, {
  apply: () => new RealDate(now()).toString(),
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
