<?php
// Calls of stdin as mail of Symfony, over the transport of MAILER_DSN; their results on stdout.
use Symfony\Component\HttpClient\HttpClient;
use Symfony\Component\Mailer\Exception\TransportExceptionInterface;
use Symfony\Component\Mailer\Header\MetadataHeader;
use Symfony\Component\Mailer\Header\TagHeader;
use Symfony\Component\Mailer\Mailer;
use Symfony\Component\Mailer\Transport;
use Symfony\Component\Mime\Email;

foreach (['HttpClient', 'Mailer', 'Mailer/Bridge/Postmark', 'Mailer/Bridge/Sendgrid'] as $each) {
    require_once "/usr/share/php/Symfony/Component/$each/autoload.php";
}

function mailOf(array $given): Email
{
    $mail = (new Email())->from($given['from'])->to(...$given['to'])->subject($given['subject'])->text($given['text']);
    foreach (['cc', 'bcc', 'replyTo'] as $name) {
        if (isset($given[$name])) {
            $mail->$name($given[$name]);
        }
    }
    if (isset($given['html'])) {
        $mail->html($given['html']);
    }
    foreach ($given['headers'] ?? [] as $name => $value) {
        $mail->getHeaders()->addTextHeader($name, $value);
    }
    foreach ($given['tags'] ?? [] as $tag) {
        $mail->getHeaders()->add(new TagHeader($tag));
    }
    foreach ($given['metadata'] ?? [] as $name => $value) {
        $mail->getHeaders()->add(new MetadataHeader($name, $value));
    }
    foreach ($given['attachments'] ?? [] as [$name, $content, $type]) {
        $mail->attach($content, $name, $type);
    }
    return $mail;
}

// The bridges speak https only; the certificate is the one of the test.
$client = HttpClient::create(['cafile' => getenv('MAILER_CA')]);
$told = [];
foreach (json_decode(stream_get_contents(STDIN), true) as ['key' => $key, 'args' => $args]) {
    $dsn = getenv('MAILER_SCHEME') . '://' . rawurlencode($key) . '@' . getenv('MAILER_HOST');
    try {
        $transport = Transport::fromDsn($dsn, null, $client);
        $told[] = ['ok' => ['id' => $transport->send(mailOf($args[0]))->getMessageId()]];
    } catch (TransportExceptionInterface $error) {
        $told[] = ['error' => ['class' => 'HttpTransportException', 'message' => $error->getMessage()]];
    }
}
echo json_encode($told, JSON_THROW_ON_ERROR);
