/** A wait that ends early when woken, and says whether it was. A `wake` that comes before the wait counts for it. */
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
