/** Returns a wait that `wake` ends early; it resolves to whether it was woken. A `wake` before the wait counts. */
export function newWakeSignal(): { wake(): void; wait(ms: number): Promise<boolean> } {
  let isWoken = false;
  let end = () => {};

  return {
    wake() {
      isWoken = true;
      end();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
  };
}
