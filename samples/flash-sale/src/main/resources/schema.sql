create table if not exists item (
	sku varchar(64) primary key,
	stock int not null
);

create table if not exists orders (
	id bigint generated always as identity primary key,
	sku varchar(64) not null,
	placed_at timestamp default current_timestamp not null
);

-- What the page shows: forgotten when the last instance has stopped.

create memory table if not exists instance_state (
	url varchar(200) primary key,
	seen timestamp not null,
	state varchar(10000) not null
) not persistent;

create memory table if not exists event (
	id bigint generated always as identity primary key,
	at bigint not null,
	url varchar(200) not null,
	kind varchar(20) not null,
	lock varchar(200) not null,
	what varchar(1000) not null
) not persistent;
