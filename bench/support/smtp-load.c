/*
 * Submits messages over SMTP as fast as the server takes them: postfix's smtp-source, which is measured beside us, cannot
 * sign in, and a load tool in Node would take as much of the processor as the server it loads.
 *
 * smtp-load HOST PORT CONNECTIONS MESSAGES REUSE(0|1) BYTES FROM TO AUTH_PLAIN_BASE64; prints messages per second.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum step { GREETING, EHLO, AUTH, ENVELOPE, BODY };

struct session {
  int fd;
  enum step step;
  int replies; /* Still to come for the commands that went out together. */
  char line[4096];
  size_t length;
};

static struct sockaddr_in server;
static char sign_in[1024], envelope[1024], *body;
static size_t body_length;
static int left, done, reuse;

static void fail(const char *what, const char *detail) {
  fprintf(stderr, "%s: %s\n", what, detail);
  exit(1);
}

/* Loopback takes these sizes at once; a partial write would only mean a server that has stopped reading. */
static void say(struct session *s, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = send(s->fd, text, length, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("send", strerror(errno));
    text += written;
    length -= (size_t)written;
  }
}

static void begin(struct session *s) {
  int on = 1;
  s->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (s->fd < 0 || connect(s->fd, (struct sockaddr *)&server, sizeof server) < 0) fail("connect", strerror(errno));
  setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  s->step = GREETING;
  s->replies = 1;
  s->length = 0;
}

static void next_message(struct session *s) {
  left -= 1;
  s->step = ENVELOPE;
  s->replies = 3;
  say(s, envelope, strlen(envelope));
}

static void finish(struct session *s) {
  say(s, "QUIT\r\n", 6);
  close(s->fd);
  s->fd = -1;
}

/* All replies to what was said last are in. */
static void advance(struct session *s) {
  s->replies = 1;
  switch (s->step) {
    case GREETING:
      s->step = EHLO;
      say(s, "EHLO bench\r\n", 12);
      return;
    case EHLO:
      s->step = AUTH;
      say(s, sign_in, strlen(sign_in));
      return;
    case AUTH:
      if (left > 0) next_message(s);
      else finish(s);
      return;
    case ENVELOPE:
      s->step = BODY;
      say(s, body, body_length);
      return;
    case BODY:
      done += 1;
      if (left > 0 && reuse) next_message(s);
      else {
        finish(s);
        if (left > 0) begin(s);
      }
  }
}

static void take_reply(struct session *s) {
  if (s->line[0] != '2' && s->line[0] != '3') fail("refused", s->line);
  if (s->length > 3 && s->line[3] == '-') return;
  s->replies -= 1;
}

static void hear(struct session *s) {
  char chunk[4096];
  ssize_t count = recv(s->fd, chunk, sizeof chunk, 0);
  if (count <= 0) fail("recv", count == 0 ? "the server hung up" : strerror(errno));
  for (ssize_t i = 0; i < count; i += 1) {
    if (s->length < sizeof s->line - 1) s->line[s->length++] = chunk[i];
    if (chunk[i] != '\n') continue;
    s->line[s->length] = 0;
    take_reply(s);
    s->length = 0;
  }
  if (s->replies == 0) advance(s);
}

static void make_body(const char *from, const char *to, size_t bytes) {
  body = malloc(bytes + 1024);
  body_length = (size_t)sprintf(body, "From: %s\r\nTo: %s\r\nSubject: Benchmark\r\n\r\n", from, to);
  for (size_t written = 0; written < bytes; written += 72) {
    memset(body + body_length, 'x', 70);
    memcpy(body + body_length + 70, "\r\n", 2);
    body_length += 72;
  }
  memcpy(body + body_length, ".\r\n", 3);
  body_length += 3;
}

int main(int argc, char **argv) {
  if (argc != 10) fail("usage", "HOST PORT CONNECTIONS MESSAGES REUSE BYTES FROM TO AUTH");
  server.sin_family = AF_INET;
  server.sin_port = htons((unsigned short)atoi(argv[2]));
  if (inet_pton(AF_INET, argv[1], &server.sin_addr) != 1) fail("address", argv[1]);
  int connections = atoi(argv[3]), messages = atoi(argv[4]);
  left = messages;
  reuse = atoi(argv[5]);
  make_body(argv[7], argv[8], (size_t)atoi(argv[6]));
  snprintf(envelope, sizeof envelope, "MAIL FROM:<%s>\r\nRCPT TO:<%s>\r\nDATA\r\n", argv[7], argv[8]);
  snprintf(sign_in, sizeof sign_in, "AUTH PLAIN %s\r\n", argv[9]);
  struct session *sessions = calloc((size_t)connections, sizeof *sessions);
  struct pollfd *polled = calloc((size_t)connections, sizeof *polled);
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  for (int i = 0; i < connections; i += 1) begin(&sessions[i]);
  while (done < messages) {
    for (int i = 0; i < connections; i += 1) polled[i] = (struct pollfd){sessions[i].fd, POLLIN, 0};
    if (poll(polled, (nfds_t)connections, 30000) <= 0) fail("poll", "nothing came for 30 seconds");
    for (int i = 0; i < connections; i += 1)
      if (polled[i].revents) hear(&sessions[i]);
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  double seconds = (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9;
  printf("{\"per_second\":%f}\n", messages / seconds);
  return 0;
}
