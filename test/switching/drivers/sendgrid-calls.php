<?php
// Calls of stdin with SendGrid's client for PHP; their results on stdout.
use SendGrid\Mail\Mail;

$clients = getenv('CHASQUI_CLIENTS');
spl_autoload_register(function (string $class) use ($clients) {
    $name = str_replace('\\', '/', $class);
    $places = [
        '/php-http-client/lib/' . preg_replace('/^SendGrid\//', '', $name),
        '/sendgrid-php/lib/' . preg_replace('/^SendGrid\/Mail\//', 'mail/', $name),
        '/sendgrid-php/lib/' . preg_replace('/^SendGrid\/Helper\//', 'helper/', $name),
    ];
    foreach ($places as $place) {
        if (is_file("$clients$place.php")) {
            require "$clients$place.php";
            return;
        }
    }
});

/** The same with the classes of its helpers. */
function mailOf(array $given): Mail
{
    $mail = new Mail();
    $mail->setFrom($given['from'], $given['name']);
    foreach ($given['to'] as $each) {
        $mail->addTo($each);
    }
    $mail->addCc($given['cc']);
    $mail->addBcc($given['bcc']);
    $mail->setReplyTo($given['reply_to']);
    $mail->setSubject($given['subject']);
    $mail->addContent('text/plain', $given['text']);
    $mail->addContent('text/html', $given['html']);
    $mail->addHeader(...$given['header']);
    $mail->addCategory($given['category']);
    $mail->addCustomArg(...$given['custom_arg']);
    [$name, $content, $type] = $given['attachment'];
    $mail->addAttachment($content, $type, $name, 'attachment');
    return $mail;
}

function perform(array $call)
{
    $sendgrid = new SendGrid($call['key'], ['host' => getenv('SENDGRID_HOST')]);
    $args = $call['args'];
    return match ($call['op']) {
        'send' => $sendgrid->client->mail()->send()->post($args[0]),
        'mail' => $sendgrid->send(mailOf($args[0])),
        'get' => $sendgrid->client->_($args[0])->get(),
        'delete' => $sendgrid->client->_($args[0])->delete(),
        'post' => $sendgrid->client->_($args[0])->post($args[1]),
    };
}

$told = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $call) {
    $answer = perform($call);
    $status = $answer->statusCode();
    $headers = array_change_key_case($answer->headers(true) ?: []);
    $told[] = $status < 400
        ? ['ok' => ['status' => $status, 'id' => $headers['x-message-id'] ?? null, 'body' => $answer->body()]]
        : ['error' => ['class' => 'Response', 'status' => $status, 'message' => $answer->body()]];
}
echo json_encode($told, JSON_THROW_ON_ERROR);
