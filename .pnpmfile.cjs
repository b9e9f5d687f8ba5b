// @prisma/client names the Prisma CLI and TypeScript as peers, better-auth every database and framework that it can be used
// with. Services need none of them at run time: without this a production install would carry them.
const BY_CHOICE = ['better-auth', '@better-auth/prisma-adapter'];

module.exports = {
  hooks: {
    readPackage(pkg) {
      if (pkg.name === '@prisma/client') {
        delete pkg.peerDependencies?.prisma;
        delete pkg.peerDependencies?.typescript;
      }
      if (BY_CHOICE.includes(pkg.name)) {
        delete pkg.peerDependencies;
        delete pkg.peerDependenciesMeta;
      }
      // dockerode reaches engines by SSH with it; without its native code, which only helps to choose a cipher, it can be bundled.
      if (pkg.name === 'ssh2') delete pkg.optionalDependencies;
      // Its files for browsers contain its dependencies, 280 packages.
      if (pkg.name === '@scalar/api-reference') delete pkg.dependencies;
      return pkg;
    },
  },
};
