#!/bin/sh
# Turns the variables KAFKA_… into settings and formats the storage with the program that the image apache/kafka uses, then starts the broker.
set -e
export CLUSTER_ID="${CLUSTER_ID:-5L6g3nShT-eMCtK--X86sw}"
java -cp '/opt/kafka/libs/*' kafka.docker.KafkaDockerWrapper setup --default-configs-dir /etc/kafka/docker \
  --mounted-configs-dir /mnt/shared/config --final-configs-dir /opt/kafka/config
# shellcheck disable=SC2086 # several options
exec java $KAFKA_HEAP_OPTS -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '/opt/kafka/libs/*' kafka.Kafka /opt/kafka/config/server.properties
