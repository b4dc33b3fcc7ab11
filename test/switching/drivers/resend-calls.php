<?php
// Calls of stdin with Resend's client for PHP; their results on stdout.
require '/usr/share/php/GuzzleHttp/autoload.php';
$clients = getenv('CHASQUI_CLIENTS');
spl_autoload_register(function (string $class) use ($clients) {
    $file = $clients . '/resend-php/src/' . str_replace('\\', '/', preg_replace('/^Resend\\\\/', '', $class)) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
require "$clients/resend-php/src/Resend.php";

function perform(array $call): array
{
    ['op' => $op, 'args' => $args, 'key' => $key] = $call;
    $resend = Resend::client($key);
    $result = match ($op) {
        'send' => $resend->emails->send(...$args),
        'get' => $resend->emails->get(...$args),
        'list' => $resend->emails->list(...$args),
        'update' => $resend->emails->update($args[0], ['scheduled_at' => $args[1]]),
        'cancel' => $resend->emails->cancel(...$args),
        'batch' => $resend->batch->send(...$args),
        'suppress' => $resend->suppressions->add(['email' => $args[0]]),
        'unsuppress' => $resend->suppressions->remove(...$args),
        'domains' => $resend->domains->list(),
    };
    return $result->toArray();
}

$told = [];
foreach (json_decode(stream_get_contents(STDIN), true) as $call) {
    try {
        $told[] = ['ok' => perform($call)];
    } catch (Resend\Exceptions\ErrorException $error) {
        $told[] = ['error' => [
            'class' => 'ErrorException',
            'name' => $error->getErrorType(),
            'status' => $error->getErrorCode(),
            'message' => $error->getMessage(),
        ]];
    }
}
echo json_encode($told, JSON_THROW_ON_ERROR);
