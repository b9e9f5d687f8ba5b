#!/bin/sh
# Accepts the options of the server or a command, as the entry point of the image redis:8 does.
case "${1:--}" in
-*) exec redis-server --protected-mode no "$@" ;;
*) exec "$@" ;;
esac
