// A shop with Sequelize: models, associations, transactions on connections of their own, and its reading of errors.
//
// Holds: OPEN_* by name; connection.filename and a property of Sequelize's own on the database; serialize(async function);
// run() without a callback; this.constructor.name === 'Statement'; ids computed from lastID and changes; err.code with
// err.message for its error classes; parameters as an object without prototype whose keys are $1, $name.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  DataTypes,
  ForeignKeyConstraintError,
  Op,
  QueryTypes,
  Sequelize,
  TimeoutError,
  UniqueConstraintError,
} from 'sequelize';
import { called, temporaryFolder, testLoads } from './support.mjs';

const sqlite3 = createRequire(import.meta.url)('sqlite3');

testLoads('sequelize');

const open = (storage, more) => new Sequelize({ dialect: 'sqlite', storage, logging: false, ...more });

async function createShop(sequelize) {
  const Customer = sequelize.define('Customer', {
    email: { type: DataTypes.STRING, unique: true, allowNull: false },
    balance: { type: DataTypes.DECIMAL(10, 2), defaultValue: 0 },
    joined: DataTypes.DATE,
    settings: DataTypes.JSON,
    picture: DataTypes.BLOB,
  });
  const Order = sequelize.define('Order', { total: DataTypes.INTEGER, serial: DataTypes.BIGINT }, { paranoid: true });
  const Tag = sequelize.define('Tag', { name: DataTypes.STRING });
  Customer.hasMany(Order, { foreignKey: { allowNull: false }, onDelete: 'RESTRICT' });
  Order.belongsTo(Customer);
  Order.belongsToMany(Tag, { through: 'OrderTags' });
  Tag.belongsToMany(Order, { through: 'OrderTags' });
  await sequelize.sync({ force: true });
  return { Customer, Order, Tag };
}

describe('sequelize', () => {
  let sequelize;
  let shop;
  before(async () => {
    sequelize = open(':memory:');
    shop = await createShop(sequelize);
  });
  after(() => sequelize.close());

  test('gives inserted instances their ids', async () => {
    const ada = await shop.Customer.create({ email: 'ada@example.org', joined: new Date('2020-02-29T12:00:00.123Z') });
    assert.equal(ada.id, 1);
    const more = await shop.Customer.bulkCreate([{ email: 'bob@example.org' }, { email: 'cy@example.org' }]);
    assert.equal(more.length, 2);
    // An insert of several rows on its own: the ids come from lastID and changes.
    const [ids] = await sequelize.query(
      "INSERT INTO `Tags` (`name`,`createdAt`,`updatedAt`) SELECT value, '2024-05-06', '2024-05-06' FROM json_each($1)",
      { type: QueryTypes.INSERT, model: shop.Tag, bind: [JSON.stringify(['new', 'gift', 'late'])] },
    );
    assert.deepEqual(ids, [{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  test('reads back what it wrote in the types of the model', async () => {
    const picture = Buffer.from([0xff, 0, 0x7f]);
    const settings = { theme: 'dark', sizes: [1, 2, 3] };
    await shop.Customer.update({ settings, picture, balance: 12.5 }, { where: { email: 'ada@example.org' } });
    const ada = await shop.Customer.findOne({ where: { email: 'ada@example.org' } });
    assert.deepEqual(ada.settings, settings);
    assert.deepEqual(ada.picture, picture);
    assert.equal(ada.joined.toISOString(), '2020-02-29T12:00:00.123Z');
    assert.equal(Number(ada.balance), 12.5);
    assert.ok(ada.createdAt instanceof Date);
  });

  test('joins through associations', async () => {
    const tags = await shop.Tag.findAll({ order: ['id'] });
    const order = await shop.Order.create({ CustomerId: 1, total: 30, serial: '9007199254740992' });
    await order.addTags([tags[0], tags[2]]);
    await shop.Order.create({ CustomerId: 2, total: 7 });
    const found = await shop.Customer.findAll({
      include: [{ model: shop.Order, include: [shop.Tag] }],
      order: ['id', [shop.Order, shop.Tag, 'id', 'ASC']],
    });
    assert.deepEqual(
      found.map((customer) => customer.Orders.map((each) => each.Tags.map((tag) => tag.name))),
      [[['new', 'late']], [[]], []],
    );
    assert.equal(await shop.Order.sum('total'), 37);
    assert.equal(await shop.Order.count({ where: { total: { [Op.gt]: 10 } } }), 1);
  });

  test('counts updated and deleted rows', async () => {
    assert.deepEqual(await shop.Order.update({ total: 8 }, { where: { CustomerId: 2 } }), [1]);
    assert.deepEqual(await shop.Order.update({ total: 8 }, { where: { CustomerId: 99 } }), [0]);
    await shop.Order.increment('total', { by: 2, where: { CustomerId: 2 } });
    assert.equal((await shop.Order.findOne({ where: { CustomerId: 2 } })).total, 10);
    assert.equal(await shop.Order.destroy({ where: { CustomerId: 2 } }), 1);
    assert.equal(await shop.Order.count(), 1, 'deleted rows are only marked');
    assert.equal(await shop.Order.count({ paranoid: false }), 2);
  });

  test('inserts or updates with upsert', async () => {
    await shop.Tag.upsert({ id: 3, name: 'very late' });
    await shop.Tag.upsert({ id: 4, name: 'fresh' });
    const names = (await shop.Tag.findAll({ order: ['id'], raw: true })).map((tag) => tag.name);
    assert.deepEqual(names, ['new', 'gift', 'very late', 'fresh']);
  });

  test('binds values by number and by name', async () => {
    const numbered = await sequelize.query('SELECT $1 AS a, $2 AS b, $1 AS again', {
      bind: ['x', null],
      type: QueryTypes.SELECT,
    });
    assert.deepEqual(numbered, [{ a: 'x', b: null, again: 'x' }]);
    const named = await sequelize.query('SELECT $first AS first, $second AS second', {
      bind: { first: 1.5, second: 'two' },
      type: QueryTypes.SELECT,
    });
    assert.deepEqual(named, [{ first: 1.5, second: 'two' }]);
  });

  test('turns broken constraints into its own errors', async () => {
    await assert.rejects(shop.Customer.create({ email: 'ada@example.org' }), (error) => {
      assert.ok(error instanceof UniqueConstraintError);
      assert.deepEqual(error.fields, ['email']);
      assert.equal(error.parent.code, 'SQLITE_CONSTRAINT');
      assert.match(error.parent.sql, /^INSERT INTO `Customers`/);
      return true;
    });
    await assert.rejects(shop.Order.create({ CustomerId: 99 }), ForeignKeyConstraintError);
    await assert.rejects(shop.Customer.destroy({ where: { id: 1 } }), ForeignKeyConstraintError);
    await assert.rejects(sequelize.query('SELECT broken FROM nowhere'), {
      name: 'SequelizeDatabaseError',
      message: 'SQLITE_ERROR: no such table: nowhere',
    });
  });

  test('describes and rebuilds a table', async () => {
    const schema = sequelize.getQueryInterface();
    await schema.addColumn('Tags', 'color', { type: DataTypes.STRING, defaultValue: 'red' });
    await schema.changeColumn('Tags', 'color', { type: DataTypes.TEXT, allowNull: true });
    await schema.renameColumn('Tags', 'color', 'colour');
    const columns = await schema.describeTable('Tags');
    assert.deepEqual(Object.keys(columns), ['id', 'name', 'createdAt', 'updatedAt', 'colour']);
    assert.equal(columns.colour.type, 'TEXT');
    const [{ colours }] = await sequelize.query("SELECT count(*) AS colours FROM Tags WHERE colour = 'red'", {
      type: QueryTypes.SELECT,
    });
    assert.equal(colours, 4);
  });
});

test('a transaction of sequelize has a connection of its own and is seen only when it is committed', async (t) => {
  const sequelize = open(join(temporaryFolder(t), 'made/for/it/shop.sqlite'));
  t.after(() => sequelize.close());
  const { Tag } = await createShop(sequelize);
  await sequelize.transaction(async (transaction) => {
    await Tag.create({ name: 'kept' }, { transaction });
    assert.equal(await Tag.count(), 0);
    assert.equal(await Tag.count({ transaction }), 1);
  });
  assert.equal(await Tag.count(), 1);
  await assert.rejects(
    sequelize.transaction(async (transaction) => {
      await Tag.bulkCreate([{ name: 'a' }, { name: 'b' }], { transaction });
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  assert.equal(await Tag.count(), 1);
});

test('a lock held by another connection is a TimeoutError, and the work goes on when it is gone', async (t) => {
  const storage = join(temporaryFolder(t), 'shop.sqlite');
  const sequelize = open(storage, { retry: { max: 1 } });
  t.after(() => sequelize.close());
  const { Tag } = await createShop(sequelize);
  await sequelize.query('PRAGMA busy_timeout = 10');

  const other = new sqlite3.Database(storage);
  await called((done) => other.exec('BEGIN EXCLUSIVE', done));
  await assert.rejects(Tag.create({ name: 'late' }), (error) => {
    assert.ok(error instanceof TimeoutError, error);
    assert.equal(error.parent.code, 'SQLITE_BUSY');
    return true;
  });
  await called((done) => other.exec('COMMIT', done));
  await called((done) => other.close(done));
  assert.equal((await Tag.create({ name: 'late' })).id, 1);
});

test('many queries asked at once through serialize are all answered', async () => {
  const sequelize = open(':memory:');
  const { Tag } = await createShop(sequelize);
  await Promise.all(Array.from({ length: 100 }, (_, n) => Tag.create({ name: `tag ${n}` })));
  const found = await Promise.all(Array.from({ length: 100 }, (_, n) => Tag.findOne({ where: { name: `tag ${n}` } })));
  assert.equal(new Set(found.map((tag) => tag.id)).size, 100);
  await sequelize.close();
});
