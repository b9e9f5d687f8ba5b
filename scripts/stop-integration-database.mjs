export default () => globalThis.stopDatabase?.();
