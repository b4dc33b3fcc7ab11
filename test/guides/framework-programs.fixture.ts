interface Address {
  host: string;
  port: number;
}

/** What Django does with its settings; by Django itself where it is installed. */
export const djangoProgram = (from: Address, to: Address): string => `
import smtplib, socket, ssl
settings = {}
exec(open("settings.py").read(), settings)
connect = socket.create_connection
def here(address, *rest, **more):
    assert tuple(address) == ("${from.host}", ${from.port}), address
    return connect(("${to.host}", ${to.port}), *rest, **more)
socket.create_connection = here
try:
    from django.conf import settings as django_settings
    from django.core.mail import EmailMessage
    django_settings.configure(**{name: value for name, value in settings.items() if name.isupper()})
    EmailMessage("From Django", "It works.", to=["django@sandbox.test"], headers={"X-Chq-Category": "orders"}).send()
    print("Django")
except ImportError:
    assert settings["EMAIL_USE_TLS"] and not settings.get("EMAIL_USE_SSL")
    with smtplib.SMTP(settings["EMAIL_HOST"], settings["EMAIL_PORT"], timeout=settings["EMAIL_TIMEOUT"]) as server:
        server.starttls(context=ssl.create_default_context())
        server.login(settings["EMAIL_HOST_USER"], settings["EMAIL_HOST_PASSWORD"])
        sender = settings["DEFAULT_FROM_EMAIL"]
        message = f"From: {sender}\\r\\nTo: django@sandbox.test\\r\\nSubject: From Django\\r\\nX-Chq-Category: orders\\r\\n\\r\\nIt works."
        server.sendmail(sender, ["django@sandbox.test"], message)
    print("smtplib")
`;

/** The three functions of Laravel that the block calls, and its HTTP client, without the framework. */
export const laravel = `<?php
function config($name) { return getenv($name === 'services.chasqui.key' ? 'CHASQUI_API_KEY' : 'CHASQUI_URL'); }
function view($name, $data) { return new class { function render() { return '<p>It works.</p>'; } }; }
class Http {
  public $headers = ['Content-Type: application/json'];
  public $answer;
  static function withToken($token) { $http = new Http(); $http->headers[] = "Authorization: Bearer $token"; return $http; }
  function withHeaders($more) { foreach ($more as $name => $value) $this->headers[] = "$name: $value"; return $this; }
  function post($url, $body) {
    $options = ['method' => 'POST', 'header' => implode("\\r\\n", $this->headers), 'content' => json_encode($body)];
    $this->answer = file_get_contents($url, false, stream_context_create(['http' => $options]));
    return $this;
  }
  function throw() { if ($this->answer === false) exit(1); return $this; }
  function json($name) { return json_decode($this->answer, true)[$name]; }
}
$user = (object) ['email' => 'laravel@sandbox.test', 'name' => 'Ana'];
`;
/** What surrounds the block in a controller. */
export const rails = `require 'json'
require 'net/http'
user = Struct.new(:email).new('rails@sandbox.test')
html = '<p>It works.</p>'
`;
