-- CreateTable
CREATE TABLE "brands" (
    "org_id" UUID NOT NULL,
    "logo" TEXT,
    "color" TEXT,

    CONSTRAINT "brands_pkey" PRIMARY KEY ("org_id")
);
