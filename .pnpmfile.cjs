// @prisma/client names the Prisma CLI and TypeScript as peers. Services need neither at run time: without this a production
// install would carry both.
module.exports = {
  hooks: {
    readPackage(pkg) {
      if (pkg.name === '@prisma/client') {
        delete pkg.peerDependencies?.prisma;
        delete pkg.peerDependencies?.typescript;
      }
      return pkg;
    },
  },
};
