/*
 * Takes mail over SMTP and forgets it, with so little work that the processor is left to what is measured, and ends after
 * so many messages. For machines without postfix's smtp-sink.
 *
 * smtp-sink HOST PORT MESSAGES
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_SESSIONS 1000

struct session {
  int in_data;
  /* Octets of the end of data, CRLF "." CRLF, that were seen last. */
  int matched;
  char line[1024];
  size_t length;
};

/* The listening socket comes first; sessions[i] belongs to polled[i]. */
static struct pollfd polled[MAX_SESSIONS + 1];
static struct session sessions[MAX_SESSIONS + 1];
static int open_sockets = 1;
static long left;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

struct replies {
  char text[65536];
  size_t length;
};

static void add(struct replies *replies, const char *reply) {
  size_t length = strlen(reply);
  if (replies->length + length > sizeof replies->text) return;
  memcpy(replies->text + replies->length, reply, length);
  replies->length += length;
}

/* Returns 0 when the session ends. */
static int obey(struct session *s, struct replies *replies) {
  if (strncasecmp(s->line, "EHLO", 4) == 0) add(replies, "250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n");
  else if (strncasecmp(s->line, "QUIT", 4) == 0) return add(replies, "221 2.0.0 Bye\r\n"), 0;
  else if (strncasecmp(s->line, "DATA", 4) == 0) {
    s->in_data = 1;
    s->matched = 2; /* The line of the command ended with CRLF. */
    add(replies, "354 End data with <CR><LF>.<CR><LF>\r\n");
  } else if (strncasecmp(s->line, "MAIL", 4) == 0) add(replies, "250 2.1.0 Ok\r\n");
  else if (strncasecmp(s->line, "RCPT", 4) == 0) add(replies, "250 2.1.5 Ok\r\n");
  else add(replies, "250 2.0.0 Ok\r\n");
  return 1;
}

/* Consumes octets of the message and returns how many. */
static size_t take_data(struct session *s, const char *octets, size_t length, struct replies *replies) {
  static const char end[] = "\r\n.\r\n";
  for (size_t at = 0; at < length; at++) {
    if (s->matched == 0) {
      const char *found = memchr(octets + at, '\r', length - at);
      if (!found) return length;
      at = (size_t)(found - octets);
    }
    if (octets[at] == end[s->matched]) s->matched++;
    else s->matched = octets[at] == '\r' ? 1 : 0;
    if (s->matched == 5) {
      s->in_data = 0;
      s->length = 0;
      left--;
      add(replies, "250 2.0.0 Ok\r\n");
      return at + 1;
    }
  }
  return length;
}

/* Returns 0 when the session ends. */
static int take(struct session *s, const char *octets, size_t length, struct replies *replies) {
  for (size_t at = 0; at < length;) {
    if (s->in_data) {
      at += take_data(s, octets + at, length - at, replies);
      continue;
    }
    char octet = octets[at++];
    if (s->length < sizeof s->line - 1) s->line[s->length++] = octet;
    if (octet != '\n') continue;
    s->line[s->length] = 0;
    s->length = 0;
    if (!obey(s, replies)) return 0;
  }
  return 1;
}

static void answer(int fd, struct replies *replies) {
  for (size_t at = 0; at < replies->length;) {
    ssize_t sent = send(fd, replies->text + at, replies->length - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;
    at += (size_t)sent;
  }
}

static void accept_session(void) {
  int on = 1, fd = accept(polled[0].fd, NULL, NULL);
  if (fd < 0) return;
  if (open_sockets > MAX_SESSIONS) {
    close(fd);
    return;
  }
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  memset(&sessions[open_sockets], 0, sizeof sessions[0]);
  polled[open_sockets++] = (struct pollfd){.fd = fd, .events = POLLIN};
  struct replies greeting = {.length = 0};
  add(&greeting, "220 sink ESMTP\r\n");
  answer(fd, &greeting);
}

static void end_session(int index) {
  close(polled[index].fd);
  open_sockets--;
  polled[index] = polled[open_sockets];
  sessions[index] = sessions[open_sockets];
}

int main(int count, char **args) {
  static char octets[262144];
  static struct replies replies;
  if (count != 4) return fprintf(stderr, "smtp-sink HOST PORT MESSAGES\n"), 1;
  struct sockaddr_in local = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(args[2]))};
  if (inet_pton(AF_INET, args[1], &local.sin_addr) != 1) fail("address");
  left = atol(args[3]);
  int on = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listening, (struct sockaddr *)&local, sizeof local) < 0 || listen(listening, 1000) < 0) fail("listen");
  polled[0] = (struct pollfd){.fd = listening, .events = POLLIN};
  while (left > 0) {
    if (poll(polled, (nfds_t)open_sockets, -1) < 0 && errno != EINTR) fail("poll");
    for (int index = open_sockets - 1; index > 0; index--) {
      if (polled[index].revents == 0) continue;
      ssize_t length = recv(polled[index].fd, octets, sizeof octets, 0);
      if (length < 0 && errno == EINTR) continue;
      replies.length = 0;
      int goes_on = length > 0 && take(&sessions[index], octets, (size_t)length, &replies);
      answer(polled[index].fd, &replies);
      if (!goes_on) end_session(index);
    }
    if (polled[0].revents != 0) accept_session();
  }
  return 0;
}
