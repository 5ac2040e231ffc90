%% The same seven benchmarks in Erlang: plain processes and tuples.
%% usage: erl -noshell +S 2:2 -s erl_bench main NAME SIZE... -s init stop
%% prints "NAME seconds messages".
-module(erl_bench).
-export([main/1]).

main([Name | Sizes]) ->
    Ns = [list_to_integer(atom_to_list(S)) || S <- Sizes],
    Begin = erlang:monotonic_time(),
    Messages = apply_bench(Name, Ns),
    Micro = erlang:convert_time_unit(erlang:monotonic_time() - Begin,
                                     native, microsecond),
    io:format("~s ~.6f ~b~n", [Name, Micro / 1.0e6, Messages]).

apply_bench(pingpong, [N]) ->
    Main = self(),
    Pong = spawn(fun ponger/0),
    spawn(fun() -> pinger(Pong, N), Pong ! stop, Main ! done end),
    receive done -> 2 * N end;
apply_bench(counting, [N]) ->
    Main = self(),
    Counter = spawn(fun() -> counter(0) end),
    spawn(fun() ->
        produce(Counter, N),
        Counter ! {read, self()},
        receive {total, N} -> Main ! done end
    end),
    receive done -> N + 2 end;
apply_bench(threadring, [K, N]) ->
    Main = self(),
    Nodes = [spawn(fun() -> receive {next, Next} -> node_loop(Next, Main) end
                   end) || _ <- lists:seq(1, K)],
    lists:foreach(fun({A, B}) -> A ! {next, B} end,
                  lists:zip(Nodes, tl(Nodes) ++ [hd(Nodes)])),
    hd(Nodes) ! {token, N},
    receive done -> [P ! stop || P <- Nodes], N + 2 * K end;
apply_bench(fjthroughput, [K, N]) ->
    Main = self(),
    spawn(fun() ->
        Ws = [spawn(fun() -> worker(N, 37.2, Main) end)
              || _ <- lists:seq(1, K)],
        feed(Ws, N)
    end),
    wait(K),
    K * N;
apply_bench(fjcreate, [N]) ->
    Main = self(),
    spawn(fun() -> create(N, Main) end),
    wait(N),
    N;
apply_bench(chameneos, [K, N]) ->
    Main = self(),
    Mall = spawn(fun() -> mall(N, none, K, Main) end),
    [spawn(fun() -> Mall ! {meet, self(), C rem 3}, creature(Mall, C rem 3, 0)
           end) || C <- lists:seq(1, K)],
    receive done -> 4 * N + 3 * K end;
apply_bench(big, [K, N]) ->
    Main = self(),
    All = [spawn(fun() -> receive {start, T} -> big_go(T, I * 7919 + 1, N, Main)
                          end end) || I <- lists:seq(1, K)],
    T = list_to_tuple(All),
    [P ! {start, T} || P <- All],
    wait(K),
    [P ! stop || P <- All],
    2 * K * N + 3 * K;
apply_bench(idle, [N]) ->
    Before = erlang:memory(processes),
    Ps = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, N)],
    After = erlang:memory(processes),
    [P ! stop || P <- Ps],
    (After - Before) div N.

wait(0) -> ok;
wait(N) -> receive done -> wait(N - 1) end.

ponger() -> receive {ping, P} -> P ! pong, ponger(); stop -> ok end.
pinger(_, 0) -> ok;
pinger(Pong, N) ->
    Pong ! {ping, self()},
    receive pong -> pinger(Pong, N - 1) end.

counter(N) ->
    receive
        inc -> counter(N + 1);
        {read, P} -> P ! {total, N}
    end.
produce(_, 0) -> ok;
produce(C, N) -> C ! inc, produce(C, N - 1).

node_loop(Next, Main) ->
    receive
        {token, 0} -> Main ! done, node_loop(Next, Main);
        {token, N} -> Next ! {token, N - 1}, node_loop(Next, Main);
        stop -> ok
    end.

worker(0, _, Main) -> Main ! done;
worker(N, R, Main) -> receive work -> worker(N - 1, R * R / 37.2, Main) end.
feed(_, 0) -> ok;
feed(Ws, N) -> [W ! work || W <- Ws], feed(Ws, N - 1).

create(0, _) -> ok;
create(N, Main) ->
    P = spawn(fun() -> receive work -> Main ! done end end),
    P ! work,
    create(N - 1, Main).

mall(0, _, 0, Main) -> Main ! done;
mall(0, W, K, Main) ->
    receive
        {meet, P, _} -> P ! stop, mall(0, W, K, Main);
        {done, _} -> mall(0, W, K - 1, Main)
    end;
mall(N, none, K, Main) ->
    receive {meet, P, C} -> mall(N, {P, C}, K, Main) end;
mall(N, {Q, D}, K, Main) ->
    receive {meet, P, C} ->
        Q ! {change, C}, P ! {change, D}, mall(N - 1, none, K, Main)
    end.
creature(Mall, C, M) ->
    receive
        {change, D} ->
            E = if C =:= D -> C; true -> 3 - C - D end,
            Mall ! {meet, self(), E},
            creature(Mall, E, M + 1);
        stop -> Mall ! {done, M}
    end.

big_go(T, R, N, Main) ->
    R2 = (R * 6364136223846793005 + 1442695040888963407) band 16#ffffffffffffff,
    element((R2 bsr 33) rem tuple_size(T) + 1, T) ! {ping, self()},
    big(T, R2, N, Main).
big(T, R, N, Main) ->
    receive
        {ping, P} -> P ! pong, big(T, R, N, Main);
        pong when N > 1 -> big_go(T, R, N - 1, Main);
        pong -> Main ! done, big(T, R, 0, Main);
        stop -> ok
    end.
