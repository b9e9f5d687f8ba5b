export default () => globalThis.stopDrawbridge?.();
