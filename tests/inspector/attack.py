# Attacks an inspector with raw bytes: attack.py PORT TOKEN. After each attack it must answer a right request, and the
# game's frames must go on. Prints `ok`, or what went wrong.
import json
import socket
import sys
import time

PORT, TOKEN = int(sys.argv[1]), sys.argv[2]
HOST = "Host: 127.0.0.1\r\n"
BEARER = f"Authorization: Bearer {TOKEN}\r\n"
TYPE = "Content-Type: application/json\r\n"
CLOSE = "Connection: close\r\n"
faults = []


def connect(timeout=12):
    return socket.create_connection(("127.0.0.1", PORT), timeout=timeout)


def read_all(connection):
    got = b""
    try:
        while True:
            more = connection.recv(65536)
            if not more:
                break
            got += more
    except OSError:
        pass
    connection.close()
    return got


def send(data):
    connection = connect()
    try:
        connection.sendall(data.encode("latin-1") if isinstance(data, str) else data)
        connection.shutdown(socket.SHUT_WR) if isinstance(data, bytes) else None
    except OSError:
        pass
    return read_all(connection)


def status(response):
    words = response.split(b" ", 2)
    return int(words[1]) if len(words) > 2 and words[0].startswith(b"HTTP/") and words[1].isdigit() else 0


def post(body, headers=HOST + BEARER + TYPE, line="POST /rpc HTTP/1.1"):
    body = body if isinstance(body, bytes) else body.encode()
    head = f"{line}\r\n{headers}{CLOSE}Content-Length: {len(body)}\r\n\r\n"
    connection = connect()
    try:
        connection.sendall(head.encode("latin-1") + body)
    except OSError:
        pass
    return read_all(connection)


def call(method, parameters=None):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters or {}}
    response = post(json.dumps(request))
    return json.loads(response.split(b"\r\n\r\n", 1)[1]) if status(response) == 200 else {"status": status(response)}


def frame():
    return call("time.get").get("result", {}).get("frame", -1)


def expect(what, got, *allowed):
    if got not in allowed:
        faults.append(f"{what}: {got}, not one of {allowed}")


def still_answers(what, within=7):
    began = time.monotonic()
    first = frame()
    if first < 0 or time.monotonic() - began > within:
        faults.append(f"after {what}: frame {first} after {time.monotonic() - began:.1f} s")
        return
    time.sleep(0.02)
    if frame() <= first:
        faults.append(f"after {what}: the frames do not go on")


HELLO = '{"jsonrpc":"2.0","id":1,"method":"kin.hello"}'


def foreign_requests():
    for headers in ("Host: evil.example\r\n", HOST + "Origin: http://evil.example\r\n", HOST + "Origin: null\r\n",
                    HOST + "Sec-Fetch-Site: cross-site\r\n", "", "Host: 127.0.0.1@evil.example\r\n",
                    "Host: 127.0.0.1:5460.evil.example\r\n", "Host: 0x7f000001\r\n", "Host: localhost.\r\n"):
        expect(f"headers {headers!r}", status(post(HELLO, headers + BEARER + TYPE)), 403, 400)
    expect("form", status(post(HELLO, HOST + BEARER + "Content-Type: text/plain\r\n")), 415)
    expect("preflight", status(post("", HOST, "OPTIONS /rpc HTTP/1.1")), 405)


def wrong_tokens():
    for size in range(0, len(TOKEN), 5):
        expect("prefix", status(post(HELLO, HOST + TYPE + f"Authorization: Bearer {TOKEN[:size]}\r\n")), 401, 429)
    for headers in (f"Cookie: token={TOKEN}\r\n", f"Authorization: bearer{TOKEN}\r\n",
                    f"Authorization: Bearer {TOKEN}\r\nAuthorization: Bearer {TOKEN}\r\n"):
        expect(f"token {headers!r}", status(post(HELLO, HOST + TYPE + headers)), 401, 429, 400)
    expect("query", status(post(HELLO, HOST + TYPE, f"POST /rpc?token={TOKEN} HTTP/1.1")), 401, 429)
    for guess in range(300):
        expect("guess", status(post(HELLO, HOST + TYPE + f"Authorization: Bearer {guess:032d}\r\n")), 401, 429)


def large_requests():
    expect("long URL", status(send(f"GET /{'a' * 60000} HTTP/1.1\r\n{HOST}{CLOSE}\r\n")), 0, 400, 414, 431)
    expect("long header", status(send(f"GET / HTTP/1.1\r\n{HOST}X: {'a' * 60000}\r\n{CLOSE}\r\n")), 0, 400, 413, 431)
    expect("many headers", status(send("GET / HTTP/1.1\r\n" + HOST + "X: y\r\n" * 9000 + "\r\n")), 0, 400, 413, 431)
    expect("large body", status(post(" " * 65537)), 413)
    expect("body that lies", status(send(f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: "
                                         f"99999999999999999999\r\n\r\n")), 0, 400, 413)


def odd_json():
    def code(body):
        response = post(body)
        text = response.split(b"\r\n\r\n", 1)[1] if b"\r\n\r\n" in response else b""
        return json.loads(text).get("error", {}).get("code") if status(response) == 200 and text else status(response)

    expect("deep", code("[" * 4000), -33102)
    expect("deep objects", code('{"a":' * 4000 + "1"), -33102)
    expect("duplicate keys", code('{"jsonrpc":"2.0","id":1,"id":2,"method":"kin.hello"}'), -32700)
    expect("1e999", code('{"jsonrpc":"2.0","id":1e999,"method":"kin.hello"}'), -32700)
    expect("lone surrogate", code('{"jsonrpc":"2.0","id":1,"method":"\\ud800"}'), -32700)
    expect("no UTF-8", code(b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}'), -32700)
    expect("NUL", code('{"jsonrpc":"2.0","id":1,"method":"kin\\u0000hello"}'), -32700, -32601)
    expect("empty", code(""), -32700)
    for query in ("!" * 1024, "(" * 1024, "Roof where " + "tiles=1&" * 100 + "tiles=1", "`" * 1024, "\0"):
        answer = call("entities.query", {"context": "houses", "query": query})
        expect(f"query {query[:9]!r}", answer.get("error", {}).get("code"), -32602, -33102, -32700)
    for entity in ("99:0", "0:0", "1099511627775:16777215", "-1:0", "1:0:0", "x", ""):
        answer = call("components.set", {"context": "houses", "entity": entity, "path": "Roof.tiles", "value": 1})
        expect(f"entity {entity!r}", answer.get("error", {}).get("code"), -32602, -33001)


def cut_requests():
    whole = (f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: {len(HELLO)}\r\n\r\n{HELLO}").encode()
    for size in range(0, len(whole), 2):
        connection = connect()
        connection.sendall(whole[:size])
        connection.close()


def odd_protocols():
    for data, allowed in (("GET /\r\n\r\n", (0, 400, 403, 505)), ("GET / HTTP/0.9\r\n\r\n", (0, 400, 403, 505)),
                          (f"POST /rpc HTTP/1.0\r\n{HOST}{BEARER}{TYPE}Content-Length: {len(HELLO)}\r\n\r\n{HELLO}", (200,)),
                          (f"HEAD /rpc HTTP/1.1\r\n{HOST}{BEARER}{CLOSE}\r\n", (405,)),
                          (f"TRACE / HTTP/1.1\r\n{HOST}{BEARER}{CLOSE}\r\n", (405,)),
                          (f"CONNECT 127.0.0.1:80 HTTP/1.1\r\n{HOST}{BEARER}{CLOSE}\r\n", (405, 400)),
                          (f"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (0, 400, 403, 405, 505)),
                          (f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}{CLOSE}Content-Length: 1\r\nContent-Length: 45\r\n\r\n"
                           + HELLO, (0, 400)),
                          (f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}{CLOSE}Transfer-Encoding: chunked\r\n\r\nffffffffff\r\n",
                           (0, 400, 413))):
        expect(f"protocol {data[:24]!r}", status(send(data)), *allowed)
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc", "/%00", "//rpc", "/rpc%00", "/./rpc",
                 "/rpc/", "/%c0%ae%c0%ae/", "*", "http://evil.example/rpc"):
        expect(f"path {path}", status(send(f"GET {path} HTTP/1.1\r\n{HOST}{BEARER}{CLOSE}\r\n")), 0, 400, 403, 404, 405)
    send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)))
    send(b"\r\n" * 5000)
    send(b"\0" * 5000)


def pipelining():
    connection = connect(5)
    request = f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: {len(HELLO)}\r\n\r\n{HELLO}"
    connection.sendall((request * 20).encode())
    got = b""
    try:
        while got.count(b"HTTP/1.1 200") < 20:
            more = connection.recv(65536)
            if not more:
                break
            got += more
    except OSError:
        pass
    connection.close()
    expect("pipelining", got.count(b"HTTP/1.1 200"), 20)


def half_open():
    sockets = [connect() for _ in range(40)]
    for one in sockets:
        one.sendall(b"POST /rpc HT")
    for one in sockets:
        one.close()


def many_at_once():
    sockets = []
    for _ in range(400):
        one = socket.socket()
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", PORT))
        sockets.append(one)
    for one in sockets:
        one.close()


def slow_viewers():
    sockets = [connect() for _ in range(6)]
    began = time.monotonic()
    data = f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: 45\r\n\r\n".encode()
    open_ones, position = list(sockets), 0
    while open_ones and time.monotonic() - began < 9:
        for one in list(open_ones):
            try:
                one.sendall(data[position:position + 1])
                one.settimeout(0.01)
                if one.recv(1) == b"":
                    open_ones.remove(one)
            except socket.timeout:
                pass
            except OSError:
                open_ones.remove(one)
        position = min(position + 1, 60)
        time.sleep(0.1)
    if open_ones:
        faults.append(f"{len(open_ones)} slow requests are still there after {time.monotonic() - began:.1f} s")
    for one in sockets:
        one.close()


def viewers_that_do_not_read():
    watch = ",".join('{"jsonrpc":"2.0","id":%d,"method":"systems.list+watch","params":{"period":50}}' % i for i in range(8))
    sockets = []
    for _ in range(4):
        one = connect()
        body = f"[{watch}]"
        one.sendall(f"POST /stream HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        sockets.append(one)
    time.sleep(1)
    still_answers("four viewers that do not read")
    for one in sockets:
        one.close()


def a_viewer_that_dies_while_it_holds():
    connection = connect()
    for method, parameters in (("time.until", '{"context":"houses","query":"Roof where tiles > 1000000"}'),
                               ("time.hold", '{"system":"Mayor"}')):
        body = '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}' % (method, parameters)
        connection.sendall(f"POST /rpc HTTP/1.1\r\n{HOST}{BEARER}{TYPE}Content-Length: {len(body)}\r\n\r\n{body}".encode())
        expect(method, status(connection.recv(65536)), 200)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    connection.close()
    for _ in range(100):
        if "result" in call("time.resume"):
            break
        time.sleep(0.05)
    else:
        faults.append("the hold of a dead viewer cannot be ended")


for attack in (foreign_requests, wrong_tokens, large_requests, odd_json, cut_requests, odd_protocols, pipelining, half_open,
               many_at_once, viewers_that_do_not_read, a_viewer_that_dies_while_it_holds, slow_viewers):
    try:
        attack()
    except Exception as error:  # the inspector ended a connection that it should have answered
        faults.append(f"{attack.__name__}: {error!r}")
    time.sleep(1.1)  # the limits of requests and tokens are those of a second
    still_answers(attack.__name__)
print("\n".join(faults[:20]) if faults else "ok")
